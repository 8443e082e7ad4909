/// Base64 of bytes (RFC 4648).
public enum Base64 {
    private static let standard = StaticString("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    private static let urlSafe = StaticString("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// Appends in the standard alphabet, with padding.
    public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        withEncoded(bytes) { text.append(contentsOf: $0) }
    }

    /// Passes `body` the text in the standard alphabet, with padding. It is valid only while `body` runs.
    static func withEncoded(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        withEncoded(bytes, standard) { text, padding in
            for index in text.count - padding..<text.count { text[index] = UInt8(ascii: "=") }
            body(UnsafeRawBufferPointer(text))
        }
    }

    /// Appends in the URL-safe alphabet, without padding (RFC 7515).
    public static func appendURLSafe(_ bytes: [UInt8], to text: inout [UInt8]) {
        withEncoded(bytes, urlSafe) { encoded, padding in text.append(contentsOf: encoded.dropLast(padding)) }
    }

    /// Returns the text in the standard alphabet, with padding.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Passes `body` whole groups of four characters, of which the last `padding` stand for no byte.
    private static func withEncoded(
        _ bytes: [UInt8],
        _ alphabet: StaticString,
        _ body: (_ text: UnsafeMutableBufferPointer<UInt8>, _ padding: Int) -> Void
    ) {
        let groups = (bytes.count + 2) / 3
        let characters = alphabet.utf8Start
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4 * groups) { text in
            bytes.withUnsafeBufferPointer { bytes in
                for group in 0..<groups {
                    let (first, place) = (3 * group, 4 * group)
                    let second = first + 1 < bytes.count ? bytes[first + 1] : 0
                    let third = first + 2 < bytes.count ? bytes[first + 2] : 0
                    let bits = UInt32(bytes[first]) << 16 | UInt32(second) << 8 | UInt32(third)
                    text[place] = characters[Int(bits >> 18)]
                    text[place + 1] = characters[Int(bits >> 12 & 0x3F)]
                    text[place + 2] = characters[Int(bits >> 6 & 0x3F)]
                    text[place + 3] = characters[Int(bits & 0x3F)]
                }
            }
            body(text, 3 * groups - bytes.count)
        }
    }
}
