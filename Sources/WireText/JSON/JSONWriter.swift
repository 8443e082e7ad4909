package import FoundationEssentials

/// Writes JSON, and other texts that consist of many small pieces, into memory on the stack.
///
/// It is faster than appending each piece to an array.
///
/// This type and its `@inlinable` functions are public only because the compiler (Swift 6.3.1) does not inline `package`
/// functions into another module.
public struct JSONWriter {
    // The size of the memory, in bytes. Swift would take a larger block from the heap instead of the stack.
    @usableFromInline static let room = 1024

    @usableFromInline let start: UnsafeMutableRawPointer
    @usableFromInline var count = 0
    /// The bytes that were written first. They are moved here whenever the memory on the stack is full.
    @usableFromInline var earlier: [UInt8]

    /// Returns the bytes that `write` writes.
    ///
    /// - Parameter capacity: the expected number of bytes.
    @inlinable
    public static func bytes<Failure: Error>(
        capacity: Int = 0,
        _ write: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        if capacity > room { bytes.reserveCapacity(capacity) }
        try append(to: &bytes, write)
        return bytes
    }

    /// Passes `body` the bytes that `write` writes, without copying them into an array.
    ///
    /// The bytes are valid only while `body` runs.
    @inlinable
    public static func withBytes<Result>(
        _ write: (inout JSONWriter) -> Void,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { memory in
            var writer = JSONWriter(start: memory.baseAddress!, earlier: [])
            write(&writer)
            if writer.earlier.isEmpty { return body(UnsafeRawBufferPointer(start: writer.start, count: writer.count)) }
            writer.makeRoom()
            return writer.earlier.withUnsafeBytes(body)
        }
    }

    /// Returns the text that `write` writes.
    package static func text(_ write: (inout JSONWriter) -> Void) -> String {
        withBytes(write) { String(decoding: $0, as: UTF8.self) }
    }

    /// Appends the bytes that `write` writes.
    @inlinable
    public static func append<Failure: Error>(
        to bytes: inout [UInt8],
        _ write: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { memory throws(Failure) in
            var writer = JSONWriter(start: memory.baseAddress!, earlier: bytes)
            // The caller's variable is emptied, so that the writer is the only owner of the array and appending does not copy it.
            bytes = []
            defer {
                writer.makeRoom()
                bytes = writer.earlier
            }
            try write(&writer)
        }
    }

    @inlinable
    init(start: UnsafeMutableRawPointer, earlier: [UInt8]) {
        self.start = start
        self.earlier = earlier
    }

    /// Appends a literal piece of JSON unchanged.
    @inlinable @inline(__always)
    public mutating func append(raw: StaticString) {
        append(UnsafeRawBufferPointer(start: raw.utf8Start, count: raw.utf8CodeUnitCount))
    }

    /// Appends the bytes of JSON unchanged.
    @inlinable
    public mutating func append(json: [UInt8]) {
        json.withUnsafeBytes { append($0) }
    }

    /// Appends a text as a JSON string, quoted and escaped.
    @inlinable
    public mutating func append(_ text: String) {
        append(raw: "\"")
        JSONWriter.withUTF8(of: text) { bytes in
            if JSONWriter.isPlain(bytes) { append(UnsafeRawBufferPointer(bytes)) } else { append(escaping: bytes) }
        }
        append(raw: "\"")
    }

    /// Appends the UTF-8 of a text, neither quoted nor escaped.
    @inlinable
    public mutating func append(unquoted text: String) {
        JSONWriter.withUTF8(of: text) { append(UnsafeRawBufferPointer($0)) }
    }

    // `String.withUTF8` needs a mutable copy of the text, and making one changes reference counts. So it is used only if
    // necessary.
    @inlinable
    static func withUTF8(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard text.utf8.withContiguousStorageIfAvailable(body) == nil else { return }
        var copy = text
        copy.withUTF8(body)
    }

    /// Appends a number.
    package mutating func append(_ number: Int64) {
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            var rest = number.magnitude
            var start = digits.count
            // Divisions take most of the time, so each division gives two digits.
            while rest >= 10 {
                let pair = UInt8(truncatingIfNeeded: rest % 100)
                rest /= 100
                start -= 2
                digits[start] = UInt8(ascii: "0") + pair / 10
                digits[start + 1] = UInt8(ascii: "0") + pair % 10
            }
            if rest > 0 || start == digits.count {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
            }
            if number < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            append(UnsafeRawBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Appends the 36 characters of a UUID in lower case, without quotes.
    package mutating func append(unquoted uuid: UUID) {
        uuid.withLowerCase { append($0) }
    }

    /// Appends the standard Base64 of bytes, without quotes.
    package mutating func append(base64 bytes: [UInt8]) {
        Base64.withEncoded(bytes) { append($0) }
    }

    /// Appends bytes unchanged.
    @inlinable @inline(__always)
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count > JSONWriter.room - count { makeRoom() }
        guard bytes.count <= JSONWriter.room, let source = bytes.baseAddress else { return earlier += bytes }
        (start + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    @usableFromInline
    mutating func makeRoom() {
        earlier += UnsafeRawBufferPointer(start: start, count: count)
        count = 0
    }

    @inlinable
    static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // The loop always reads to the end. Because it has no early exit, the compiler makes it handle 16 bytes at a time.
        var found: UInt8 = 0
        for byte in bytes { found |= (byte < 0x20 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0) }
        return found == 0
    }

    @usableFromInline
    mutating func append(escaping bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes {
            switch byte {
            case 0x22: append(raw: "\\\"")
            case 0x5C: append(raw: "\\\\")
            case 0x0A: append(raw: "\\n")
            case 0x0D: append(raw: "\\r")
            case 0x09: append(raw: "\\t")
            case 0..<0x20:
                append(raw: "\\u00")
                for nibble in [byte >> 4, byte & 15] { append(byte: nibble < 10 ? 0x30 + nibble : 0x57 + nibble) }
            default: append(byte: byte)
            }
        }
    }

    private mutating func append(byte: UInt8) {
        withUnsafeBytes(of: byte) { append($0) }
    }
}
