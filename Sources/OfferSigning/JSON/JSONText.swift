/// Appends JSON to bytes under construction, with no intermediate values.
package enum JSONText {
    /// A string in quotes, escaped as RFC 8259 asks and no further.
    package static func append(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        var copy = string
        copy.withUTF8 { bytes in
            var isPlain = true
            for byte in bytes where byte < 0x20 || byte == 0x22 || byte == 0x5C { isPlain = false }
            if isPlain {
                text.append(contentsOf: bytes)
            } else {
                for byte in bytes { appendEscaped(byte, to: &text) }
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    /// An integer in decimal.
    package static func append(_ number: Int64, to text: inout [UInt8]) {
        withDecimal(number) { text.append(contentsOf: $0) }
    }

    /// The decimal digits of an integer, with its sign, for as long as `body` runs.
    package static func withDecimal(_ number: Int64, _ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            var rest = number.magnitude
            var start = digits.count
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            body(UnsafeRawBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Text that is JSON already.
    @inlinable @inline(__always)
    package static func append(raw: StaticString, to text: inout [UInt8]) {
        text.append(contentsOf: UnsafeBufferPointer(start: raw.utf8Start, count: raw.utf8CodeUnitCount))
    }

    private static func appendEscaped(_ byte: UInt8, to text: inout [UInt8]) {
        switch byte {
        case 0x22: append(raw: "\\\"", to: &text)
        case 0x5C: append(raw: "\\\\", to: &text)
        case 0x0A: append(raw: "\\n", to: &text)
        case 0x0D: append(raw: "\\r", to: &text)
        case 0x09: append(raw: "\\t", to: &text)
        case 0..<0x20:
            append(raw: "\\u00", to: &text)
            for nibble in [byte >> 4, byte & 15] { text.append(nibble < 10 ? 0x30 + nibble : 0x57 + nibble) }
        default: text.append(byte)
        }
    }
}
