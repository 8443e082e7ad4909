import GRDB
import GRDBSQLite
import OfferStore

extension Configuration {
    /// Has a debug build record the statements of each connection where the environment asks for it.
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
