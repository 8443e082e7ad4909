/// Text that equals only the very same bytes.
///
/// Swift's `String` takes canonically equivalent texts for one (NFC and NFD, K and the Kelvin sign); the App Store compares bytes.
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
                for index in first.indices where first[index] != second[index] { return false }
                return true
            }
        }
        return isEqual.flatMap { $0 } ?? first.elementsEqual(second)
    }

    /// By the bytes.
    public static func < (left: ExactText, right: ExactText) -> Bool { TextOrder.precedes(left.string, right.string) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var copy = string
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
