import GRDB
import GRDBSQLite
import Glibc
import OfferStore
import WireText

/// A statement of a connection, stepped directly: for rows that are read or written by the thousand.
///
/// GRDB keeps it compiled. To be used inside the read or write that made it.
struct PreparedStatement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer
    // SQLite copies what is bound; Swift does not import the macro.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ database: Database, _ sql: String) throws {
        statement = try database.cachedStatement(sql: sql).sqliteStatement
        connection = database.sqliteConnection!
    }

    func bind(_ number: Int64?, at parameter: Int32) {
        if let number {
            sqlite3_bind_int64(statement, parameter, number)
        } else {
            sqlite3_bind_null(statement, parameter)
        }
    }

    func bind(_ text: String?, at parameter: Int32) {
        guard var text else {
            sqlite3_bind_null(statement, parameter)
            return
        }
        text.withUTF8 { bytes in
            let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            _ = sqlite3_bind_text(statement, parameter, start, Int32(bytes.count), Self.transient)
        }
    }

    func bind(_ bytes: [UInt8], at parameter: Int32) {
        _ = bytes.withUnsafeBytes {
            // A null pointer would bind NULL in place of an empty value.
            $0.isEmpty
                ? sqlite3_bind_zeroblob(statement, parameter, 0)
                : sqlite3_bind_blob(statement, parameter, $0.baseAddress, Int32($0.count), Self.transient)
        }
    }

    /// An App Store id: a number where it is one, so that the index stays small, or else its text.
    func bind(id: String, at parameter: Int32) {
        if let number = Int64(id), number >= 0, String(number) == id {
            sqlite3_bind_int64(statement, parameter, number)
        } else {
            bind(id, at: parameter)
        }
    }

    /// The next row; false at the end.
    func step() throws(StatementFailure) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw StatementFailure(connection)
        }
    }

    /// Runs a statement that gives no rows.
    func run() throws(StatementFailure) {
        defer { reset() }
        _ = try step()
    }

    /// Makes it ready for the next use.
    func reset() {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    /// How many rows the last `run` changed.
    var changes: Int { Int(sqlite3_changes(connection)) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// A text, or the decimal of a number, which is never negative.
    func text(_ column: Int32) -> String {
        if sqlite3_column_type(statement, column) == SQLITE_INTEGER {
            return String(decimal: UInt64(bitPattern: number(column)))
        }
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An original transaction id as `bind(id:)` wrote it.
    func originalID(_ column: Int32) -> ChainRecord.OriginalID {
        sqlite3_column_type(statement, column) == SQLITE_INTEGER
            ? ChainRecord.OriginalID(UInt64(bitPattern: number(column))) : ChainRecord.OriginalID(text(column))
    }

    /// Whether it is a text of just these bytes.
    func isText(_ column: Int32, _ text: String) -> Bool {
        var text = text
        return text.withUTF8 { expected in
            withBytes(column) { bytes in
                guard bytes.count == expected.count, let first = bytes.baseAddress else { return bytes.count == expected.count }
                return memcmp(first, expected.baseAddress!, expected.count) == 0
            }
        }
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// The bytes in place, for as long as `body` runs.
    func withBytes<Value, Failure: Error>(
        _ column: Int32,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let start = sqlite3_column_blob(statement, column)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
