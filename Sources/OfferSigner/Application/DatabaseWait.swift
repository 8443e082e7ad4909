import Logging
import OfferService
import OfferStore
import OfferStorePostgreSQL

/// Makes the start of the service wait for a database that cannot be reached.
///
/// If the service ended instead, the machine's service manager would start it again and again, and finally give up.
struct DatabaseWait {
    // If the database answers but the store cannot be used, opening is tried this often, because the database may just have come
    // back.
    private static let maxFailures = 3
    // A reason that stays the same is logged again after this many attempts, which is once a minute.
    private static let attemptsPerLine = 60

    /// The connection string; nil for files, for which waiting does not help.
    let address: String?
    let system: SystemEnvironment
    let logger: Logger

    init(_ environment: ServiceEnvironment) {
        address = if case .postgresql(let address) = environment.configuration.store { address } else { nil }
        system = environment.system
        logger = environment.logger
    }

    /// Returns the result of `start`, which is called again each second while the database cannot be reached.
    ///
    /// Throws the errors of `start` that waiting does not remove.
    func start<Value>(_ start: () async throws -> Value) async throws -> Value {
        guard let address else { return try await start() }
        var (failures, attempts, reason): (Int, Int, String?) = (0, 0, nil)
        while true {
            do { return try await start() } catch let error as StoreError where error.code == .unavailable {
                failures = (try? PostgreSQLStore.isNew(address)) == nil ? 0 : failures + 1
                if failures == Self.maxFailures { throw error }
                if error.detail != reason { attempts = 0 }
                if attempts % Self.attemptsPerLine == 0 {
                    logger.warning("the database is away; the service starts once it answers", metadata: ["reason": "\(error)"])
                }
                (reason, attempts) = (error.detail, attempts + 1)
                try await system.sleep(.seconds(1))
            }
        }
    }
}
