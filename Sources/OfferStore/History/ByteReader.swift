/// Reads what `ByteWriter` wrote. Throws if a record is cut short or damaged, whatever its bytes are.
package struct ByteReader {
    /// The record is damaged.
    package struct Damaged: Error {}

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(Damaged) -> UInt8 {
        guard position < bytes.count else { throw Damaged() }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() throws(Damaged) -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let byte = try byte()
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        throw Damaged()
    }

    mutating func signed() throws(Damaged) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// Reads the number of elements that follow, each of at least one byte.
    mutating func count() throws(Damaged) -> Int {
        let count = try number()
        guard count <= UInt64(bytes.count - position) else { throw Damaged() }
        return Int(count)
    }

    /// Reads length-prefixed bytes, in place.
    mutating func section() throws(Damaged) -> UnsafeRawBufferPointer {
        let count = try count()
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    mutating func text() throws(Damaged) -> String { String(decoding: try section(), as: UTF8.self) }
}
