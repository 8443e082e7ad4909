import OfferSigning
import OfferStore

extension Failure {
    /// Whether the caller's access key was revoked before its act could be recorded.
    package static func isOfRevokedCaller(_ error: any Error) -> Bool { (error as? StoreError)?.code == .actorRevoked }

    /// The message to a caller about an error of the store or of the keys; nil for any other.
    package static func outage(behind error: any Error) -> String? {
        switch error {
        case let error as StoreError: "\(error.detail); nothing was signed, try again"
        case let error as SigningError: "signing failed (\(error.code.rawValue)); nothing was signed"
        default: nil
        }
    }
}
