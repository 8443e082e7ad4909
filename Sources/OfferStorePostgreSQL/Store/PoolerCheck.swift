import OfferStore
import OfferStoreSQL

/// Notices a connection pooler that lends server processes by transaction or by statement.
///
/// The store prepares statements, and makes the settings on which durability rests, once for each session. A session must
/// therefore keep its own server process.
enum PoolerCheck {
    private static let rounds = 3
    /// The SQLSTATEs of two failures: a prepared statement is missing, or there is one of this name already.
    private static let signs: Set = ["26000", "42P05"]

    /// Throws if two sessions take turns on one server process. Any other failure is left to the next connection.
    static func run(_ address: String) throws(StoreError) {
        do {
            guard try takesTurns(address) else { return }
        } catch {
            guard let state = (error as? PostgreSQLFailure)?.sqlState, signs.contains(state) else { return }
        }
        throw StoreError(
            .unsuitable,
            "the database is reached through a connection pooler, such as PgBouncer, that gives a session another server process for "
                + "each transaction; set pool_mode = session for this database and user, or connect to PostgreSQL itself")
    }

    private static func takesTurns(_ address: String) throws -> Bool {
        let one = try Session(address, patience: .seconds(5))
        let server = try process(of: one)
        // PostgreSQL itself tells the client the id of the session's server process. A pooler tells it another number.
        guard server != one.processID else { return false }
        for _ in 0..<rounds {
            let other = try Session(address, patience: .seconds(5))
            // The open transaction keeps its server process. So the first session gets another process if it has none of its own.
            let results = try other.run([SQLStatement("BEGIN"), SQLStatement("SELECT pg_backend_pid()::int8")])
            if results[1].first({ $0.number(0) }) == Int64(server) { return true }
            if try process(of: one) != server { return true }
        }
        return false
    }

    private static func process(of session: Session) throws -> Int32 {
        try session.run([SQLStatement("SELECT pg_backend_pid()::int8")])[0].first { Int32($0.number(0)) } ?? 0
    }
}
