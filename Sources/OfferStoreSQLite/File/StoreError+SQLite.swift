import GRDB
import OfferStore

extension StoreError {
    /// Converts an error of GRDB into a `StoreError`.
    init(wrapping error: any Error, doing purpose: String) {
        if let error = error as? StoreError {
            self = error
        } else if let failure = error as? StatementFailure {
            self.init(.unavailable, "could not \(purpose): SQLite says \(failure.message)")
        } else if let error = error as? DatabaseError {
            // For a failed copy, SQLite has only a code.
            let message = error.message.flatMap { $0 == "not an error" ? nil : $0 } ?? "\(error.resultCode)"
            self.init(.unavailable, "could not \(purpose): SQLite says \(message)")
        } else {
            self.init(.unavailable, "could not \(purpose): \(error)")
        }
    }
}
