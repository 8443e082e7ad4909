import Glibc

/// Recently parsed names and values of a large document, so that a text that repeats is stored once and shared.
///
/// Each slot keeps the text that was last seen in it. Without this table a receipt of 20,000 transactions would take several
/// times the memory of its text.
struct RepeatedTexts {
    /// Swift stores a text of up to this many bytes without allocating memory, so that sharing saves nothing.
    private static let inPlaceLength = 15
    private static let maxLength = 64
    private static let slots = 512

    private var texts: [String]

    /// Creates an empty table.
    ///
    /// - Parameter isUsed: false for a document that is too small to be worth a table.
    init(isUsed: Bool) { texts = isUsed ? [String](repeating: "", count: Self.slots) : [] }

    /// Returns the text of bytes that are ASCII.
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
    /// Texts usually differ there: names at the beginning, numbers and dates at the end.
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

    // It is static, because a method would hold the array while `withUTF8` has access to one of its texts, so that the array
    // would be copied.
    private static func isSame(_ text: inout String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        text.withUTF8 { $0.count == bytes.count && memcmp($0.baseAddress!, bytes.baseAddress!, bytes.count) == 0 }
    }
}
