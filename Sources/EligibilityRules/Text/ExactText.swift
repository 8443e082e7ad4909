/// A text that is equal only to a text with the same bytes.
///
/// Swift's `String` treats canonically equivalent texts as equal (NFC and NFD, or K and the Kelvin sign), while the App Store
/// compares bytes.
public struct ExactText: Hashable, Comparable, Sendable {
    /// The text itself.
    public let string: String

    /// Wraps a text as it is.
    public init(_ string: String) { self.string = string }

    /// Compares byte by byte.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        let (first, second) = (left.string.utf8, right.string.utf8)
        guard first.count == second.count else { return false }
        let isEqual = first.withContiguousStorageIfAvailable { first in
            second.withContiguousStorageIfAvailable { second in
                areEqual(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer(second))
            }
        }
        return isEqual.flatMap { $0 } ?? first.elementsEqual(second)
    }

    /// Compares two texts of the same length, eight bytes at a time.
    private static func areEqual(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while first.count - offset >= 8 {
            let words = (
                first.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                second.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            )
            if words.0 != words.1 { return false }
            offset += 8
        }
        while offset < first.count {
            if first[offset] != second[offset] { return false }
            offset += 1
        }
        return true
    }

    /// Orders texts by their bytes.
    public static func < (left: ExactText, right: ExactText) -> Bool { TextOrder.precedes(left.string, right.string) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var copy = string
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
