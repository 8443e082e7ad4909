import GRDBSQLite
import Glibc
import OfferStore
import WireText

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
