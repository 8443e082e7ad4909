import GRDB
package import OfferStore

extension StoreError {
    /// Any error of GRDB's as one of ours.
    init(wrapping error: any Error, doing purpose: String) {
        if let error = error as? StoreError {
            self = error
        } else if let failure = error as? StatementFailure {
            self.init(.unavailable, "could not \(purpose): SQLite says \(failure.message)")
        } else if let error = error as? DatabaseError {
            // Of a copy that fails SQLite has a code only.
            let message = error.message.flatMap { $0 == "not an error" ? nil : $0 } ?? "\(error.resultCode)"
            self.init(.unavailable, "could not \(purpose): SQLite says \(message)")
        } else {
            self.init(.unavailable, "could not \(purpose): \(error)")
        }
    }
}

extension StoreError.Code {
    /// The write-ahead log was removed under the running service.
    package static let logRemoved = StoreError.Code(rawValue: "store-log-removed")
    /// The files were changed from outside under the running service; a restart is needed, or a backup.
    package static let filesChanged = StoreError.Code(rawValue: "store-files-changed")
}
