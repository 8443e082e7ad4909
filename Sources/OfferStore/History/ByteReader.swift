/// Reads what `ByteWriter` wrote. A record cut short or damaged throws, whatever its bytes are.
struct ByteReader {
    /// The record is not what was written.
    struct Damaged: Error {}

    private var rest: UnsafeRawBufferPointer.SubSequence

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() throws(Damaged) -> UInt8 {
        guard let byte = rest.popFirst() else { throw Damaged() }
        return byte
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

    /// How many elements follow, each of at least one byte.
    mutating func count() throws(Damaged) -> Int {
        let count = try number()
        guard count <= UInt64(rest.count) else { throw Damaged() }
        return Int(count)
    }

    mutating func text() throws(Damaged) -> String {
        let count = try count()
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }
}
