import GRDB
package import OfferStore

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

extension StoreError.Code {
    /// The write-ahead log was removed while the service was running.
    package static let logRemoved = StoreError.Code(rawValue: "store-log-removed")
    /// The files were changed from outside while the service was running. A restart is needed, or a backup.
    package static let filesChanged = StoreError.Code(rawValue: "store-files-changed")
}
