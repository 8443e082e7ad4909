/// Writes and reads percent escapes in paths and queries (RFC 3986).
enum PercentEncoding {
    /// Returns a text in which every character that has a meaning in a path or a query is escaped.
    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
                String(Character(Unicode.Scalar(byte)))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    /// Returns the text without its escapes; nil if they are invalid or do not make UTF-8.
    static func decoded(_ text: Substring) -> String? { decoded(Array(text.utf8)) }

    /// Returns the text of these bytes without its escapes; nil if they are invalid or do not make UTF-8.
    static func decoded(_ text: [UInt8]) -> String? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] * 16 + digits[1]))
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
