import CLibPQ
import EligibilityRules

/// One row, as long as its `Rows` are there.
struct Row {
    private let result: OpaquePointer
    private let index: Int32

    init(_ result: OpaquePointer, _ index: Int32) { (self.result, self.index) = (result, index) }

    func isNull(_ column: Int32) -> Bool { PQgetisnull(result, index, column) == 1 }

    /// Of an `int8`.
    func number(_ column: Int32) -> Int64 { withBytes(column) { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) } }

    func optionalNumber(_ column: Int32) -> Int64? { isNull(column) ? nil : number(column) }

    /// Of a `boolean`.
    func flag(_ column: Int32) -> Bool { withBytes(column) { $0[0] != 0 } }

    func text(_ column: Int32) -> String { withBytes(column) { String(decoding: $0, as: UTF8.self) } }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// Of an `int8` that has ms.
    func instant(_ column: Int32) -> Instant { Instant(milliseconds: number(column)) }

    func optionalInstant(_ column: Int32) -> Instant? { optionalNumber(column).map(Instant.init(milliseconds:)) }

    func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

    /// The bytes in place.
    func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        body(UnsafeRawBufferPointer(start: PQgetvalue(result, index, column), count: Int(PQgetlength(result, index, column))))
    }
}
