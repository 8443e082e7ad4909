package import OfferStore
package import OfferStoreSQL

/// A transaction of a session. It begins with the first statement that it runs.
package final class Transaction: SQLTransaction {
    package static let dialect = SQLDialect.postgresql

    private let session: Session
    private let apps: AppNumbers
    private var waiting: [SQLStatement]
    private var whenDurable: [() -> Void] = []
    private var whenUnknown: [() -> Void] = []
    /// Whether the server may have received the commit.
    private(set) var mayBeDurable = false

    /// - Parameter apps: the numbers of apps that the store knows.
    init(_ session: Session, _ isolation: SQLIsolation, _ apps: AppNumbers = AppNumbers()) {
        (self.session, self.apps) = (session, apps)
        session.waitsLong = false
        waiting = [SQLStatement(isolation.beginning)]
    }

    /// Runs a statement together with the next `run` or the commit. Its rows are discarded.
    func enqueue(_ statement: SQLStatement) { waiting.append(statement) }

    /// Runs statements in one round trip. Returns the rows of each.
    func run(_ statements: [SQLStatement]) throws(PostgreSQLFailure) -> ArraySlice<Rows> {
        guard !statements.isEmpty else { return [] }
        let earlier = waiting
        waiting = []
        return try session.run(earlier + statements).dropFirst(earlier.count)
    }

    package func run(_ sql: String, _ values: [SQLValue]) throws -> Rows { try run([SQLStatement(sql, values)]).first! }

    package func results(of statements: [SQLStatement]) throws -> [Rows] { Array(try run(statements)) }

    /// Runs the body alone. PostgreSQL keeps the bytes of a removed row until the next vacuum, and cannot overwrite them sooner.
    package func overwriting<Value>(_ body: () throws -> Value) throws -> Value { try body() }

    package func enqueue(_ sql: String, _ values: [SQLValue]) { enqueue(SQLStatement(sql, values)) }

    package func number(of partition: AppPartition) throws -> Int64? { try apps.existing(partition, self) }

    package func takeNumber(of partition: AppPartition) throws -> Int64 { try apps.number(of: partition, self) }

    /// Lets the transaction's statements take as long as a scan of a whole table.
    func waitLong() {
        session.waitsLong = true
        // Overrides the settings of the server, the role and the address. A commit must not time out.
        enqueue(SQLStatement("SET LOCAL statement_timeout = \(session.limitsStatements ? 590_000 : 0)"))
    }

    /// Calls `body` once the transaction is durable, and never if it fails.
    func afterCommit(_ body: @escaping () -> Void) { whenDurable.append(body) }

    /// Calls `body` if the session is lost before the outcome of the commit is known.
    func ifUnknown(_ body: @escaping () -> Void) { whenUnknown.append(body) }

    /// Notes that the session was lost.
    func didLoseSession() { if mayBeDurable { for body in whenUnknown { body() } } }

    func commit() throws(PostgreSQLFailure) {
        mayBeDurable = true
        session.isUnconfirmed = false
        _ = try run([SQLStatement("COMMIT")])
        // A commit that is cancelled while it waits for a standby succeeds with a warning. It is durable on the server, but
        // perhaps not on the standby.
        guard !session.isUnconfirmed else {
            throw PostgreSQLFailure(sqlState: nil, message: "the commit ended before a standby had it")
        }
        for body in whenDurable { body() }
    }
}
