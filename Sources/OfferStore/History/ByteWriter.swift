/// Appends numbers and texts to a compact record.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(byte: UInt8) { bytes.append(byte) }

    /// Appends an unsigned number, seven bits a byte, lowest first (LEB128).
    mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Appends a signed number. Small magnitudes take few bytes.
    mutating func append(signed number: Int64) { append(UInt64(bitPattern: (number << 1) ^ (number >> 63))) }

    /// Appends bytes after their length.
    mutating func append(_ raw: UnsafeRawBufferPointer) {
        append(UInt64(raw.count))
        bytes.append(contentsOf: raw)
    }

    /// Appends a text's UTF-8 after its length.
    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 {
            append(UInt64($0.count))
            bytes.append(contentsOf: $0)
        }
    }
}
