import Glibc
import OfferSigning

/// Writes JSON piece by piece into memory on the stack: for answers of a hundred small pieces, each of which would otherwise
/// ask an array for room.
struct JSONWriter {
    // Of more, Swift asks the heap.
    private static let room = 1024

    private let start: UnsafeMutableRawPointer
    private var count = 0
    /// What did not fit any more.
    private var earlier: [UInt8] = []

    /// The bytes that `write` writes.
    static func bytes(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { memory in
            var writer = JSONWriter(start: memory.baseAddress!)
            write(&writer)
            return writer.finished
        }
    }

    private init(start: UnsafeMutableRawPointer) { self.start = start }

    private var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    private var finished: [UInt8] { earlier.isEmpty ? Array(written) : earlier + written }

    /// JSON as it is.
    @inline(__always)
    mutating func append(raw: StaticString) {
        append(UnsafeRawBufferPointer(start: raw.utf8Start, count: raw.utf8CodeUnitCount))
    }

    /// JSON as it is.
    mutating func append(json: [UInt8]) {
        json.withUnsafeBytes { append($0) }
    }

    /// A text, in quotes.
    mutating func append(_ text: String) {
        var copy = text
        let isPlain = copy.withUTF8 { bytes in
            for byte in bytes where byte < 0x20 || byte == 0x22 || byte == 0x5C { return false }
            append(raw: "\"")
            append(UnsafeRawBufferPointer(bytes))
            append(raw: "\"")
            return true
        }
        if !isPlain { append(quoting: text) }
    }

    /// A number.
    mutating func append(_ number: Int64) {
        JSONText.withDecimal(number) { append($0) }
    }

    private mutating func append(quoting text: String) {
        var json: [UInt8] = []
        JSONText.append(text, to: &json)
        append(json: json)
    }

    @inline(__always)
    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count > Self.room - count { makeRoom() }
        guard bytes.count <= Self.room, let source = bytes.baseAddress else { return earlier += bytes }
        memcpy(start + count, source, bytes.count)
        count += bytes.count
    }

    private mutating func makeRoom() {
        earlier += written
        count = 0
    }
}
