import Logging
import OfferService
import OfferStore
import OfferStorePostgreSQL

/// Waits at the start for a database that is away.
///
/// A service that ended instead would be started again and again, until the machine's service manager gave up.
struct DatabaseWait {
    // A store that cannot be used although its database answers is tried again, because the database may have just come back.
    private static let maxFailures = 3

    /// The connection string; nil for files, which are there or not.
    let address: String?
    let system: SystemEnvironment
    let logger: Logger

    init(_ environment: ServiceEnvironment) {
        address = if case .postgresql(let address) = environment.configuration.store { address } else { nil }
        system = environment.system
        logger = environment.logger
    }

    /// Returns the result of `start`, which is called again each second for as long as the database is away.
    ///
    /// Throws what waiting does not mend.
    func start<Value>(_ start: () async throws -> Value) async throws -> Value {
        guard let address else { return try await start() }
        var (failures, reason): (Int, String?) = (0, nil)
        while true {
            do { return try await start() } catch let error as StoreError where error.code == .unavailable {
                failures = (try? PostgreSQLStore.isNew(address)) == nil ? 0 : failures + 1
                if failures == Self.maxFailures { throw error }
                if error.detail != reason {
                    logger.warning("the database is away; the service starts once it answers", metadata: ["reason": "\(error)"])
                }
                reason = error.detail
                try await system.sleep(.seconds(1))
            }
        }
    }
}
