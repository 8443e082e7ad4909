import AppStore
import OfferSigning
import OfferStore

/// An error that says what does not work.
protocol FailureDescribing: Error {
    var asFailure: Failure { get }
}

extension StoreError: FailureDescribing {
    var asFailure: Failure { Failure(.store, code.rawValue, detail) }
}

extension SigningError: FailureDescribing {
    var asFailure: Failure { Failure(.keys, code.rawValue, detail) }
}

extension AppStoreError: FailureDescribing {
    var asFailure: Failure { Failure(.appStore, code.rawValue, detail) }
}
