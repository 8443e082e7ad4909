import OfferSigning
import OfferStore

extension Failure {
    /// The message to a caller about an error of the store or of the keys; nil for any other.
    package static func outage(behind error: any Error) -> String? {
        switch error {
        case let error as StoreError: "\(error.detail); nothing was signed, try again"
        case let error as SigningError: "signing failed (\(error.code.rawValue)); nothing was signed"
        default: nil
        }
    }
}
