import GRDBSQLite

/// What one row binds, one value after the other in memory that stays: SQLite need not copy it.
struct BoundColumns {
    private enum Column {
        case null
        case text(length: Int)
        case blob(length: Int)
        case integer(Int64)
    }

    private static let nothing: StaticString = ""

    private var bytes: [UInt8] = []
    private var columns: [Column] = []

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        columns.removeAll(keepingCapacity: true)
    }

    mutating func append(_ number: Int64) { columns.append(.integer(number)) }

    mutating func append(_ text: String?) {
        guard var text else { return columns.append(.null) }
        text.withUTF8 { text in appendText { $0 += text } }
    }

    /// A text that `write` writes.
    mutating func appendText(_ write: (inout [UInt8]) throws -> Void) rethrows {
        let length = try appended(write)
        columns.append(.text(length: length))
    }

    mutating func append(_ blob: [UInt8]) { appendBlob { $0 += blob } }

    /// A blob that `write` writes.
    mutating func appendBlob(_ write: (inout [UInt8]) -> Void) {
        let length = appended(write)
        columns.append(.blob(length: length))
    }

    private mutating func appended(_ write: (inout [UInt8]) throws -> Void) rethrows -> Int {
        let start = bytes.count
        try write(&bytes)
        return bytes.count - start
    }

    /// Binds the columns to the statement's parameters, in their order, and steps it once.
    func step(_ statement: OpaquePointer) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            // A null pointer would bind NULL in place of an empty value.
            var start = bytes.baseAddress ?? UnsafeRawPointer(BoundColumns.nothing.utf8Start)
            for (index, column) in columns.enumerated() {
                let parameter = Int32(index) + 1
                switch column {
                case .null: sqlite3_bind_null(statement, parameter)
                case .integer(let number): sqlite3_bind_int64(statement, parameter, number)
                case .text(let length):
                    sqlite3_bind_text(statement, parameter, start.assumingMemoryBound(to: CChar.self), Int32(length), nil)
                    start += length
                case .blob(let length):
                    sqlite3_bind_blob(statement, parameter, start, Int32(length), nil)
                    start += length
                }
            }
            defer {
                sqlite3_reset(statement)
                sqlite3_clear_bindings(statement)
            }
            return sqlite3_step(statement)
        }
    }
}
