/// Reads secret texts from a JSON object.
///
/// It never makes a `String` of a secret, because a `String` cannot be overwritten afterwards.
package enum SecretText {
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Takes a text out of a JSON object, and puts spaces in its place; nil if there is no such text, or if the JSON is not
    /// valid.
    package static func take(_ name: String, from json: SecretBytes) -> SecretBytes? {
        guard let place = json.withBytes({ place(of: name, in: $0) }) else { return nil }
        var length: Int?
        let text = SecretBytes(capacity: place.count) { out in
            length = json.withBytes { unescape(UnsafeRawBufferPointer(rebasing: $0[place]), into: out) }
            return length ?? 0
        }
        guard length != nil else { return nil }
        json.blank(place)
        return text
    }

    /// Where the text of a member of the outermost object is, without its quotes.
    private static func place(of name: String, in json: UnsafeRawBufferPointer) -> Range<Int>? {
        var (position, depth) = (0, 0)
        while position < json.count {
            switch json[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case quote:
                guard let end = closing(position, in: json) else { return nil }
                if depth == 1, json[(position + 1)..<end].elementsEqual(name.utf8), let start = opening(behind: end, in: json) {
                    return closing(start, in: json).map { start + 1..<$0 }
                }
                position = end
            default: break
            }
            position += 1
        }
        return nil
    }

    /// The position of the quote that ends the text which begins with the quote at `opening`.
    private static func closing(_ opening: Int, in json: UnsafeRawBufferPointer) -> Int? {
        var position = opening + 1
        while position < json.count, json[position] != quote { position += json[position] == backslash ? 2 : 1 }
        return position < json.count ? position : nil
    }

    /// The position of the quote that begins the value of the member whose name ends at `end`; nil if the value is not a text.
    private static func opening(behind end: Int, in json: UnsafeRawBufferPointer) -> Int? {
        let isSpace = { (byte: UInt8) in [0x20, 0x0A, 0x0D, 0x09].contains(byte) }
        let rest = json[(end + 1)...].drop(while: isSpace)
        guard rest.first == UInt8(ascii: ":") else { return nil }
        let value = rest.dropFirst().drop(while: isSpace)
        return value.first == quote ? value.startIndex : nil
    }

    /// Writes a text with its escapes resolved, which must stand for ASCII. Returns the number of bytes; nil if the JSON is not
    /// valid.
    private static func unescape(_ text: UnsafeRawBufferPointer, into out: UnsafeMutableRawBufferPointer) -> Int? {
        var (position, length) = (0, 0)
        while position < text.count {
            var byte = text[position]
            guard byte >= 0x20 else { return nil }
            position += 1
            if byte == backslash {
                guard let escaped = escaped(text[position...]) else { return nil }
                byte = escaped.byte
                position += escaped.length
            }
            out[length] = byte
            length += 1
        }
        return length
    }

    private static func escaped(_ rest: Slice<UnsafeRawBufferPointer>) -> (byte: UInt8, length: Int)? {
        switch rest.first {
        case quote?, backslash?, UInt8(ascii: "/")?: return (rest.first!, 1)
        case UInt8(ascii: "n")?: return (0x0A, 1)
        case UInt8(ascii: "r")?: return (0x0D, 1)
        case UInt8(ascii: "t")?: return (0x09, 1)
        case UInt8(ascii: "u")?:
            let digits = rest.dropFirst().prefix(4)
            // The digit 0 is required, because `UInt8` would accept a sign in its place.
            guard digits.count == 4, digits.first == UInt8(ascii: "0"),
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), byte < 0x80
            else { return nil }
            return (byte, 5)
        default: return nil
        }
    }
}
