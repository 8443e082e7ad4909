import Glibc

/// A table of the names and strings that were parsed last in a large document. A string that occurs again is taken from here, so
/// that it is in memory only once.
///
/// Each slot of the table keeps the last string that belongs there. Without the table, a receipt with 20,000 transactions would
/// take several times as much memory as its text.
struct RepeatedTexts {
    /// Swift stores a string of up to this many bytes without allocating memory, so sharing such a string would save nothing.
    private static let inPlaceLength = 15
    private static let maxLength = 64
    private static let slots = 512

    private var texts: [String]

    /// Creates an empty table.
    ///
    /// - Parameter isUsed: false if the document is so small that a table is not worth while.
    init(isUsed: Bool) { texts = isUsed ? [String](repeating: "", count: Self.slots) : [] }

    /// Returns the string that consists of these bytes, which must be ASCII.
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard !texts.isEmpty, bytes.count > Self.inPlaceLength, bytes.count <= Self.maxLength else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let slot = Self.slot(of: bytes)
        if Self.isSame(&texts[slot], bytes) { return texts[slot] }
        let text = String(decoding: bytes, as: UTF8.self)
        texts[slot] = text
        return text
    }

    /// Returns the slot of a text, computed from its first, middle and last eight bytes.
    ///
    /// Different texts usually differ in these places: names at the beginning, numbers and dates at the end.
    private static func slot(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let memory = UnsafeRawBufferPointer(bytes)
        let (first, middle, last) = (
            memory.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
            memory.loadUnaligned(fromByteOffset: bytes.count / 2 - 4, as: UInt64.self),
            memory.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        )
        let mixed = (first &* 0x9E37_79B9_7F4A_7C15) ^ (middle &* 0xC2B2_AE3D_27D4_EB4F) ^ (last &* 0x1656_67B1_9E37_79F9)
        return Int((mixed ^ mixed >> 29 ^ UInt64(bytes.count)) % UInt64(slots))
    }

    // It is static on purpose. An instance method would keep a reference to the array while `withUTF8` changes one of its
    // elements, and so the array would be copied.
    private static func isSame(_ text: inout String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        text.withUTF8 { $0.count == bytes.count && memcmp($0.baseAddress!, bytes.baseAddress!, bytes.count) == 0 }
    }
}
