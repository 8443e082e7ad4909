// Public for the same reason as `JSONWriter`.
extension UInt8 {
    /// Whether it is a space, a tab or a line break in ASCII and UTF-8.
    @inlinable public var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// Whether it is a digit of standard Base64 or its padding.
    @inlinable public var isBase64: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
