import FoundationEssentials
import GRDB
import GRDBSQLite
import OfferStore

extension Configuration {
    /// Makes a debug build record the statements of each connection, if the environment asks for it.
    mutating func recordStatements() {
        #if DEBUG
            guard ExecutedStatements.areRecorded else { return }
            prepareDatabase { database in
                let code = sqlite3_trace_v2(
                    database.sqliteConnection, UInt32(SQLITE_TRACE_STMT),
                    { _, _, statement, _ in
                        if let sql = sqlite3_sql(OpaquePointer(statement)) {
                            ExecutedStatements.note(String(cString: sql), on: "sqlite")
                        }
                        return 0
                    }, nil)
                guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
            }
        #endif
    }
}

extension [String] {
    /// One placeholder for each element.
    var placeholders: String { map { _ in "?" }.joined(separator: ", ") }
}

extension Array where Element: Encodable {
    /// The elements as one value for `json_each`, so that the statement does not depend on their number.
    var json: String { get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) } }
}

extension Database {
    /// Runs a write in a transaction, all or nothing.
    ///
    /// GRDB's own `inTransaction` compiles BEGIN and COMMIT each time, which costs more than writing a signature.
    func inImmediateTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try PreparedStatement(self, "BEGIN IMMEDIATE").run()
        do {
            let value = try body(self)
            try PreparedStatement(self, "COMMIT").run()
            return value
        } catch {
            // SQLite may have rolled back already. The first error is the one to report.
            if isInsideTransaction { try? PreparedStatement(self, "ROLLBACK").run() }
            throw error
        }
    }
}
