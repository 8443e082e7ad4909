import OfferStore

/// A transaction of a session; it begins with the first statement that it runs.
final class Transaction {
    private let session: Session
    private var waiting: [Statement]
    private var whenDurable: [() -> Void] = []
    private var whenUnknown: [() -> Void] = []
    /// Whether the server may have been asked to make it durable.
    private(set) var mayBeDurable = false

    init(_ session: Session, _ isolation: Isolation) {
        self.session = session
        session.waitsLong = false
        waiting = [Statement(isolation.rawValue)]
    }

    /// Runs a statement together with the next one that is waited for. Its rows are dropped.
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

    /// Has its statements take as long as a look at a whole table takes.
    func waitLong() {
        session.waitsLong = true
        // Whatever the server, the role or the address says; a commit must not be given up.
        enqueue(Statement("SET LOCAL statement_timeout = \(session.limitsStatements ? 590_000 : 0)"))
    }

    /// Has `body` called once all is durable, and not if it never is.
    func afterCommit(_ body: @escaping () -> Void) { whenDurable.append(body) }

    /// Has `body` called if the session is lost before it says whether all is durable.
    func ifUnknown(_ body: @escaping () -> Void) { whenUnknown.append(body) }

    /// Takes note that the session was lost.
    func didLoseSession() { if mayBeDurable { for body in whenUnknown { body() } } }

    /// Makes it durable.
    func commit() throws(PostgreSQLFailure) {
        mayBeDurable = true
        session.isUnconfirmed = false
        _ = try run([Statement("COMMIT")])
        // Cancelled while it waited for a standby, a commit succeeds with a warning: it is durable here and perhaps not there.
        guard !session.isUnconfirmed else {
            throw PostgreSQLFailure(sqlState: nil, message: "the commit ended before a standby had it")
        }
        for body in whenDurable { body() }
    }
}
