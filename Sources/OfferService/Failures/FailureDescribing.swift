import AppStore
import OfferSigning
import OfferStore

/// An error that describes what fails.
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
