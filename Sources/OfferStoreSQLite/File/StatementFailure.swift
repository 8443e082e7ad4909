import GRDB
import GRDBSQLite

/// SQLite refused a statement; the whole batch is to be rolled back.
struct StatementFailure: Error {
    let message: String

    /// What the connection says of its last statement.
    init(_ connection: OpaquePointer) { message = String(cString: sqlite3_errmsg(connection)) }
}
