/// A value of a row that is copied from one kind of store to another.
package enum CopiedValue: Equatable, Sendable {
    case null
    case number(Int64)
    case text(String)
    case bytes([UInt8])
    case flag(Bool)
    case numbers([Int64])

    /// Appends bytes that are unique to the value.
    package func append(to bytes: inout [UInt8]) {
        func append(_ kind: UInt8, _ content: some Collection<UInt8>) {
            bytes.append(kind)
            withUnsafeBytes(of: UInt64(content.count).littleEndian) { bytes += $0 }
            bytes += content
        }
        switch self {
        case .null: append(0, [])
        case .number(let number): append(1, withUnsafeBytes(of: number.littleEndian) { Array($0) })
        case .text(let text): append(2, text.utf8)
        case .bytes(let value): append(3, value)
        case .flag(let flag): append(4, [flag ? 1 : 0])
        case .numbers(let numbers): append(5, numbers.flatMap { withUnsafeBytes(of: $0.littleEndian) { Array($0) } })
        }
    }
}
