import GRDB
import GRDBSQLite

/// SQLite refused a statement; unless a primary key was taken, the whole batch is to be rolled back.
struct StatementFailure: Error {
    // GRDB has extended result codes on; the header builds this one with a macro that Swift does not import.
    private static let primaryKeyViolated = SQLITE_CONSTRAINT | 6 << 8

    let message: String
    private let code: Int32

    /// What the connection says of its last statement, which gave this extended result code.
    init(_ code: Int32, _ connection: OpaquePointer) {
        self.code = code
        message = String(cString: sqlite3_errmsg(connection))
    }

    /// Whether a row with this primary key is there already.
    var isPrimaryKeyViolation: Bool { code == StatementFailure.primaryKeyViolated }
}
