import EligibilityRules
package import OfferStore
import OfferStoreSQL

extension PostgreSQLStore: SQLStore {
    package var auditIdentity: AuditIdentity { audit!.identity }
}

extension AuditWriter: SQLAuditWriter {
    package var functions: AuditFunctions { identity.functions }
}

extension Instant {
    /// Milliseconds of a day.
    static let day: Int64 = 86_400_000

    /// The day since 1970.
    var day: Int64 { milliseconds / Self.day }
}

extension StoreError {
    /// Converts any error of a PostgreSQL session into a `StoreError`.
    init(wrapping error: any Error, doing purpose: String) {
        if let error = error as? StoreError {
            self = error
        } else if let failure = error as? PostgreSQLFailure {
            let state = failure.sqlState.map { " (\($0))" } ?? ""
            self.init(
                failure.isOfLock ? .locked : .unavailable, "could not \(purpose): PostgreSQL says \(failure.message)\(state)")
        } else {
            self.init(.unavailable, "could not \(purpose): \(error)")
        }
    }
}

extension StoreError.Code {
    /// Another session has kept a lock for too long.
    static let locked = Self(rawValue: "store-locked")
}
