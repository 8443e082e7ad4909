import GRDB
import GRDBSQLite
import Glibc
import OfferStore
import WireText

/// A statement that is stepped directly, without boxing values, for thousands of rows.
///
/// GRDB caches the compiled statement. Use it only inside the read or write that created it.
final class PreparedStatement {
    /// SQLite's statement handle.
    let handle: OpaquePointer
    private let connection: OpaquePointer
    // Texts and blobs stay here until `reset`, so SQLite need not copy each of them. A ledger row has ten.
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0
    // Memory that became too small while values were in it.
    private var outgrown: [UnsafeMutableRawBufferPointer] = []

    init(_ database: Database, _ sql: String) throws {
        handle = try database.cachedStatement(sql: sql).sqliteStatement
        connection = database.sqliteConnection!
    }

    deinit {
        // An error may have left values bound. The next use of the statement must not read freed memory.
        if used > 0 || !outgrown.isEmpty { reset() }
        memory.deallocate()
    }

    func bind(_ number: Int64?, at parameter: Int32) {
        if let number {
            sqlite3_bind_int64(handle, parameter, number)
        } else {
            sqlite3_bind_null(handle, parameter)
        }
    }

    func bind(_ text: String?, at parameter: Int32) {
        guard var text else {
            sqlite3_bind_null(handle, parameter)
            return
        }
        text.withUTF8 { bind(text: UnsafeRawBufferPointer($0), at: parameter) }
    }

    /// Binds a text, given as its UTF-8.
    func bind(text bytes: UnsafeRawBufferPointer, at parameter: Int32) {
        let start = keep(bytes).assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(handle, parameter, start, Int32(bytes.count), nil)
    }

    func bind(_ bytes: [UInt8], at parameter: Int32) { bytes.withUnsafeBytes { bind($0, at: parameter) } }

    func bind(_ bytes: UnsafeRawBufferPointer, at parameter: Int32) {
        sqlite3_bind_blob(handle, parameter, keep(bytes), Int32(bytes.count), nil)
    }

    /// Binds a blob without a copy. The blob must stay in place until the statement has run.
    func bind(inPlace bytes: UnsafeRawBufferPointer, at parameter: Int32) {
        sqlite3_bind_blob(handle, parameter, bytes.baseAddress, Int32(bytes.count), nil)
    }

    /// Binds an App Store id: as a number if it is one, which keeps the index small; otherwise as a text.
    func bind(id: String, at parameter: Int32) {
        if let number = Int64(storedID: id) {
            sqlite3_bind_int64(handle, parameter, number)
        } else {
            bind(id, at: parameter)
        }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer {
        // An empty value takes a byte, as a null pointer would bind NULL.
        let count = max(bytes.count, 1)
        if memory.count - used < count {
            if used > 0 { outgrown.append(memory) } else { memory.deallocate() }
            memory = .allocate(byteCount: max(count, 2 * memory.count, 512), alignment: 1)
            used = 0
        }
        let place = memory.baseAddress! + used
        if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
        used += count
        return UnsafeRawPointer(place)
    }

    /// Steps to the next row. Returns false at the end.
    func step() throws(StatementFailure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw StatementFailure(connection)
        }
    }

    /// Runs a statement without rows.
    func run() throws(StatementFailure) {
        defer { reset() }
        _ = try step()
    }

    /// Prepares the statement for its next use.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        used = 0
        guard !outgrown.isEmpty else { return }
        for memory in outgrown { memory.deallocate() }
        outgrown.removeAll()
    }

    /// The number of rows that the last `run` changed.
    var changes: Int { Int(sqlite3_changes(connection)) }
}

extension Int64 {
    /// The number as which an App Store id is stored; nil for an id that is stored as a text.
    init?(storedID id: String) {
        guard let number = Int64(id), number >= 0, String(number) == id else { return nil }
        self = number
    }
}

extension String {
    /// The App Store id as stored.
    var storedID: DatabaseValue { Int64(storedID: self)?.databaseValue ?? databaseValue }
}

/// SQLite rejected a statement. The whole batch must be rolled back.
struct StatementFailure: Error {
    let message: String

    /// The connection's message about its last statement.
    init(_ connection: OpaquePointer) { message = String(cString: sqlite3_errmsg(connection)) }
}

// The columns of the current row.
extension PreparedStatement {
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A text, or the decimal digits of a number, which is never negative.
    func text(_ column: Int32) -> String {
        if sqlite3_column_type(handle, column) == SQLITE_INTEGER {
            return String(decimal: UInt64(bitPattern: number(column)))
        }
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An original transaction id, as written by `bind(id:)`.
    func originalID(_ column: Int32) -> ChainRecord.OriginalID {
        sqlite3_column_type(handle, column) == SQLITE_INTEGER
            ? ChainRecord.OriginalID(UInt64(bitPattern: number(column))) : ChainRecord.OriginalID(text(column))
    }

    /// Whether a column contains exactly this text.
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

    /// Calls `body` with the column's bytes in place.
    func withBytes<Value, Failure: Error>(
        _ column: Int32,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let start = sqlite3_column_blob(handle, column)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Appends a value as JSON: a number, a text, or the hexadecimal digits of a blob.
    func append(_ column: Int32, to json: inout JSONWriter) {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: json.append(number(column))
        case SQLITE_BLOB: json.append(withBytes(column) { Hexadecimal.encode(Array($0)) })
        default: json.append(text(column))
        }
    }
}
