extension String {
    /// Creates the decimal text of a number.
    ///
    /// The standard library's conversion is generic and takes several times as long.
    package init(decimal number: UInt64) {
        self = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = number
            var start = digits.count
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            return String(decoding: digits[start...], as: UTF8.self)
        }
    }
}

extension String {
    /// The text without white space at both ends.
    package var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

// These are public for the same reason as `JSONWriter`: the compiler does not inline `package` functions into another module.
extension UInt8 {
    /// Whether the byte is a space, a tab or a line break in ASCII.
    @inlinable public var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// Whether the byte is a character of standard Base64 or its padding.
    @inlinable public var isBase64: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}

/// How long the App Store accepts a promotional-offer signature.
public enum SignatureValidity {
    /// 24 hours, in ms. The time begins with the timestamp of the signature.
    public static let duration: Int64 = 24 * 3600 * 1000
}
