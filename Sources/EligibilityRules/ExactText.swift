/// Text that equals only the very same bytes.
///
/// Swift's `String` takes canonically equivalent texts for one (NFC and NFD, K and the Kelvin sign); the App Store compares bytes.
public struct ExactText: Hashable, Sendable {
    public let string: String

    public init(_ string: String) { self.string = string }

    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.string.utf8.elementsEqual(right.string.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        var copy = string
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
