/// Text that equals only the very same bytes.
///
/// Swift's `String` takes canonically equivalent texts for one (NFC and NFD, K and the Kelvin sign); the App Store compares bytes.
public struct ExactText: Hashable, Sendable {
    /// The text itself.
    public let string: String

    /// Wraps a text as it is.
    public init(_ string: String) { self.string = string }

    /// Compares byte by byte.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        guard left.string.utf8.count == right.string.utf8.count else { return false }
        var (first, second) = (left.string, right.string)
        return first.withUTF8 { first in
            second.withUTF8 { second in
                for index in first.indices where first[index] != second[index] { return false }
                return true
            }
        }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var copy = string
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
