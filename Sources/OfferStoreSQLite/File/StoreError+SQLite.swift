import GRDB
import OfferStore

extension StoreError {
    /// Any error of GRDB's as one of ours.
    init(wrapping error: any Error, doing purpose: String) {
        if let error = error as? StoreError {
            self = error
        } else if let failure = error as? StatementFailure {
            self.init(.unavailable, "could not \(purpose): SQLite says \(failure.message)")
        } else if let error = error as? DatabaseError {
            self.init(.unavailable, "could not \(purpose): SQLite says \(error.message ?? "\(error.resultCode)")")
        } else {
            self.init(.unavailable, "could not \(purpose): \(error)")
        }
    }
}
