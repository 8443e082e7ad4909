import OfferStore

/// A transaction of a session. It begins with the first statement that it runs.
final class Transaction {
    private let session: Session
    private var waiting: [Statement]
    private var whenDurable: [() -> Void] = []
    private var whenUnknown: [() -> Void] = []
    /// Whether the server may have received the commit.
    private(set) var mayBeDurable = false

    init(_ session: Session, _ isolation: Isolation) {
        self.session = session
        session.waitsLong = false
        waiting = [Statement(isolation.rawValue)]
    }

    /// Runs a statement together with the next `run` or the commit. Its rows are discarded.
    func enqueue(_ statement: Statement) { waiting.append(statement) }

    /// Runs statements in one round trip. Returns the rows of each.
    func run(_ statements: [Statement]) throws(PostgreSQLFailure) -> ArraySlice<Rows> {
        guard !statements.isEmpty else { return [] }
        let earlier = waiting
        waiting = []
        return try session.run(earlier + statements).dropFirst(earlier.count)
    }

    /// Runs one statement.
    func run(_ sql: String, _ values: Value...) throws(PostgreSQLFailure) -> Rows {
        try run([Statement(sql, values)]).first!
    }

    /// Lets the transaction's statements take as long as a scan of a whole table.
    func waitLong() {
        session.waitsLong = true
        // Overrides the settings of the server, the role and the address. A commit must not time out.
        enqueue(Statement("SET LOCAL statement_timeout = \(session.limitsStatements ? 590_000 : 0)"))
    }

    /// Calls `body` once the transaction is durable, and never if it fails.
    func afterCommit(_ body: @escaping () -> Void) { whenDurable.append(body) }

    /// Calls `body` if the session is lost before the outcome of the commit is known.
    func ifUnknown(_ body: @escaping () -> Void) { whenUnknown.append(body) }

    /// Notes that the session was lost.
    func didLoseSession() { if mayBeDurable { for body in whenUnknown { body() } } }

    /// Commits the transaction.
    func commit() throws(PostgreSQLFailure) {
        mayBeDurable = true
        session.isUnconfirmed = false
        _ = try run([Statement("COMMIT")])
        // A commit cancelled while it waits for a standby succeeds with a warning. It is durable here, but perhaps not there.
        guard !session.isUnconfirmed else {
            throw PostgreSQLFailure(sqlState: nil, message: "the commit ended before a standby had it")
        }
        for body in whenDurable { body() }
    }
}
