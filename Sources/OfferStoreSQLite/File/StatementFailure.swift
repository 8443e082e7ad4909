import GRDB
import GRDBSQLite

/// SQLite rejected a statement. The whole batch must be rolled back.
struct StatementFailure: Error {
    let message: String

    /// The connection's message about its last statement.
    init(_ connection: OpaquePointer) { message = String(cString: sqlite3_errmsg(connection)) }
}
