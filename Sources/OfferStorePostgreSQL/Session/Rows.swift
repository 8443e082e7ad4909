import CLibPQ
import EligibilityRules
import OfferStore
import OfferStoreSQL
import WireText

/// The rows that a statement returned, in binary form.
package final class Rows: SQLRows {
    private let result: OpaquePointer

    /// Takes over the result, and frees it on `deinit`.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    /// The error of the statement; nil for none.
    var failure: PostgreSQLFailure? {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return nil
        case PGRES_PIPELINE_ABORTED: return PostgreSQLFailure(sqlState: "25P02", message: "an earlier statement failed")
        default:
            // `PG_DIAG_SQLSTATE` and `PG_DIAG_MESSAGE_PRIMARY`, which Swift does not import.
            let field = { (code: Character) in
                PQresultErrorField(self.result, Int32(code.asciiValue!)).map { String(cString: $0) }
            }
            return PostgreSQLFailure(sqlState: field("C"), message: field("M") ?? "no message")
        }
    }

    package var count: Int { Int(PQntuples(result)) }

    /// The number of rows that the statement changed.
    package var changes: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    func forEach(_ body: (Row) throws -> Void) rethrows {
        for index in 0..<PQntuples(result) { try body(Row(result, index)) }
    }

    package func map<Element>(_ body: (Row) throws -> Element) rethrows -> [Element] {
        try (0..<PQntuples(result)).map { try body(Row(result, $0)) }
    }

    /// Maps the first row; nil if there is none.
    package func first<Element>(_ body: (Row) throws -> Element) rethrows -> Element? {
        count == 0 ? nil : try body(Row(result, 0))
    }
}

/// A row, valid as long as its `Rows`.
package struct Row: SQLRow {
    private let result: OpaquePointer
    private let index: Int32

    init(_ result: OpaquePointer, _ index: Int32) { (self.result, self.index) = (result, index) }

    package func isNull(_ column: Int32) -> Bool { PQgetisnull(result, index, column) == 1 }

    /// The value of an `int8`.
    package func number(_ column: Int32) -> Int64 { withBytes(column) { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) } }

    /// The value of a `boolean`.
    package func flag(_ column: Int32) -> Bool { withBytes(column) { $0[0] != 0 } }

    package func text(_ column: Int32) -> String { withBytes(column) { String(decoding: $0, as: UTF8.self) } }

    package func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

    /// Appends a value as JSON: a number, a text, or the hexadecimal digits of a `bytea`.
    func append(_ column: Int32, to json: inout JSONWriter) {
        switch PQftype(result, column) {
        case SQLValue.number(nil).type: json.append(number(column))
        case SQLValue.bytes(nil).type: json.append(Hexadecimal.encode(bytes(column)))
        default: json.append(text(column))
        }
    }

    /// The values of an `int8[]` without NULLs.
    func numbers(_ column: Int32) -> [Int64] {
        withBytes(column) { bytes in
            let number = { (place: Int) in Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)) }
            // The binary form: number of dimensions, NULL flag, type; length and first index of the dimension; each element after
            // its length.
            guard number(0) == 1 else { return [] }
            return (0..<Int(number(12))).map {
                Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: 24 + 12 * $0, as: Int64.self))
            }
        }
    }

    /// Calls `body` with the bytes in place.
    func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try body(UnsafeRawBufferPointer(start: PQgetvalue(result, index, column), count: Int(PQgetlength(result, index, column))))
    }
}
