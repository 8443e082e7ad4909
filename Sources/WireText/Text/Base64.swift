/// Encodes and decodes Base64 (RFC 4648).
public enum Base64 {
    private static let standard = StaticString("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    private static let urlSafe = StaticString("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// Appends the Base64 of bytes in the standard alphabet, with padding.
    public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        withEncoded(bytes) { text.append(contentsOf: $0) }
    }

    /// Passes `body` the Base64 of bytes in the standard alphabet, with padding.
    ///
    /// The text is valid only while `body` runs.
    static func withEncoded(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        withEncoded(bytes, standard) { text, padding in
            for index in text.count - padding..<text.count { text[index] = UInt8(ascii: "=") }
            body(UnsafeRawBufferPointer(text))
        }
    }

    /// Appends the Base64 of bytes in the URL-safe alphabet, without padding (RFC 7515).
    public static func appendURLSafe(_ bytes: [UInt8], to text: inout [UInt8]) {
        withEncoded(bytes, urlSafe) { encoded, padding in text.append(contentsOf: encoded.dropLast(padding)) }
    }

    /// Returns the Base64 of bytes in the standard alphabet, with padding.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Passes `body` the encoded text, in whole groups of four characters. The last `padding` characters are only padding.
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

extension Base64 {
    private static let invalid: UInt8 = 0xFF
    private static let standardValues = values(of: "+", "/")
    private static let urlSafeValues = values(of: "-", "_")

    /// Decodes text in the standard alphabet with padding; nil for anything else.
    ///
    /// White space and missing padding are refused, and unused bits of the last character must be 0. There is therefore only one
    /// valid text for the same bytes.
    public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        withBytes(of: text) { bytes in
            guard bytes.count % 4 == 0 else { return nil }
            let padding = bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
            return decode(UnsafeBufferPointer(rebasing: bytes.dropLast(padding)), with: standardValues)
        }
    }

    /// Decodes text in the URL-safe alphabet without padding (RFC 7515); nil for anything else.
    public static func decodeURLSafe(_ text: some Sequence<UInt8>) -> [UInt8]? {
        withBytes(of: text) { decode($0, with: urlSafeValues) }
    }

    /// Whether every byte belongs to the URL-safe alphabet or is a full stop.
    package static func isDottedURLSafe(_ text: [UInt8]) -> Bool { text.withUnsafeBufferPointer { isDottedURLSafe($0) } }

    /// Whether every byte belongs to the URL-safe alphabet or is a full stop.
    package static func isDottedURLSafe(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        urlSafeValues.withUnsafeBufferPointer { values in
            text.allSatisfy { values[Int($0)] != invalid || $0 == UInt8(ascii: ".") }
        }
    }

    private static func values(of last: Unicode.Scalar...) -> [UInt8] {
        var values = [UInt8](repeating: invalid, count: 256)
        let ranges: [ClosedRange<UInt8>] = [
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        ]
        for (value, byte) in (ranges.joined() + last.map { UInt8(ascii: $0) }).enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }

    private static func withBytes(
        of text: some Sequence<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>) -> [UInt8]?
    ) -> [UInt8]? {
        if let result = text.withContiguousStorageIfAvailable(body) { return result }
        return Array(text).withUnsafeBufferPointer(body)
    }

    /// Decodes text without padding. It consists of groups of four characters, and may end with two or three more characters.
    private static func decode(_ text: UnsafeBufferPointer<UInt8>, with table: [UInt8]) -> [UInt8]? {
        // For an empty text the rest would write to Swift's empty array, which the whole process shares.
        guard !text.isEmpty else { return [] }
        let tail = text.count % 4
        guard tail != 1 else { return nil }
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + max(0, tail - 1)) { out, used in
            table.withUnsafeBufferPointer { values in
                // The values of all characters are combined here. An invalid character leaves a mark, which is checked once at
                // the end. That is faster than a check for each character.
                var seen: UInt8 = 0
                var index = 0
                while index + 4 <= text.count {
                    let (a, b) = (values[Int(text[index])], values[Int(text[index + 1])])
                    let (c, d) = (values[Int(text[index + 2])], values[Int(text[index + 3])])
                    seen |= a | b | c | d
                    out[used] = a << 2 | b >> 4
                    out[used + 1] = b << 4 | c >> 2
                    out[used + 2] = c << 6 | d
                    used += 3
                    index += 4
                }
                if tail > 0 {
                    let (a, b) = (values[Int(text[index])], values[Int(text[index + 1])])
                    let c = tail == 3 ? values[Int(text[index + 2])] : 0
                    seen |= a | b | c
                    out[used] = a << 2 | b >> 4
                    used += 1
                    if tail == 3 {
                        out[used] = b << 4 | c >> 2
                        used += 1
                    }
                    isValid = (tail == 3 ? c & 0b11 : b & 0b1111) == 0
                }
                isValid = isValid && seen & 0x80 == 0
            }
        }
        return isValid ? bytes : nil
    }
}
