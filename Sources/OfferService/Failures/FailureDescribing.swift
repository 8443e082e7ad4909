import AppStore
import OfferSigning
import OfferStore

/// An error that says what does not work.
package protocol FailureDescribing: Error {
    var asFailure: Failure { get }
}

extension StoreError: FailureDescribing {
    package var asFailure: Failure { Failure(.store, code.rawValue, detail) }
}

extension SigningError: FailureDescribing {
    package var asFailure: Failure { Failure(.keys, code.rawValue, detail) }
}

extension AppStoreError: FailureDescribing {
    package var asFailure: Failure { Failure(.appStore, code.rawValue, detail) }
}

extension Failure {
    /// What a caller is told of an error of the store or of the keys; nil for any other.
    package static func outage(behind error: any Error) -> String? {
        switch error {
        case let error as StoreError: "\(error.detail); nothing was signed, try again"
        case let error as SigningError: "signing failed (\(error.code.rawValue)); nothing was signed"
        default: nil
        }
    }
}
