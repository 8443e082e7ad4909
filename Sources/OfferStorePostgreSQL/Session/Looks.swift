import OfferStoreSQL

/// Queries that run in one round trip, each with a closure for its rows.
struct Looks {
    private var statements: [SQLStatement] = []
    private var readers: [(Rows) throws -> Void] = []

    /// Adds a statement. Calls `body` with its rows, in the order of the statements.
    mutating func add(_ sql: String, _ values: SQLValue..., body: @escaping (Rows) throws -> Void) {
        add(SQLStatement(sql, values), body: body)
    }

    /// Adds a statement. Calls `body` with its rows, in the order of the statements.
    mutating func add(_ statement: SQLStatement, body: @escaping (Rows) throws -> Void) {
        statements.append(statement)
        readers.append(body)
    }

    func run(_ transaction: Transaction) throws {
        for (rows, body) in zip(try transaction.run(statements), readers) { try body(rows) }
    }
}

extension SQLIsolation {
    /// The statement that begins a transaction.
    var beginning: String {
        switch self {
        case .snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE"
        case .latest: "BEGIN ISOLATION LEVEL READ COMMITTED"
        }
    }
}
