import WireText

/// Reads the Base64 of a receipt. It also recognises what may have been done to the text on its way from the device.
package enum ReceiptText {
    /// Why a text is not the Base64 of a receipt. The reason continues a sentence that begins with the name of the field, and
    /// says what to send instead.
    package struct Mistake: Error, Equatable {
        package let reason: String
    }

    /// Returns the Base64 without line breaks, and without white space or a byte order mark at its ends. Throws for any other
    /// text.
    package static func read(_ text: String) throws(Mistake) -> String {
        let joined = text.utf8.allSatisfy(\.isBase64) ? text : try withoutLineBreaks(text)
        guard !joined.isEmpty else { throw Mistake(reason: "must be a receipt in standard Base64") }
        if joined.hasPrefix("TUlJ") || joined.hasPrefix("TUlB") {
            throw Mistake(reason: "is Base64 of Base64; encode the receipt once")
        }
        // A receipt in Base64 begins with M or e.
        if joined.hasPrefix("308") { throw Mistake(reason: "is in hexadecimal digits; send it in Base64") }
        guard joined.utf8.count % 4 == 0 else {
            throw Mistake(reason: "is not whole: its last characters, such as the = at its end, were lost on the way")
        }
        return joined
    }

    private static func withoutLineBreaks(_ text: String) throws(Mistake) -> String {
        let mark = "\u{FEFF}".utf8
        let trimmed = (text.utf8.starts(with: mark) ? text.utf8.dropFirst(mark.count) : text.utf8[...])
            .trimmingPrefix(while: \.isWhiteSpace)
        if let mistake = form(of: trimmed) ?? alteration(of: trimmed) { throw Mistake(reason: mistake) }
        let joined = trimmed.filter { !$0.isWhiteSpace }
        guard joined.allSatisfy(\.isBase64) else { throw Mistake(reason: "must be a receipt in standard Base64") }
        return String(decoding: joined, as: UTF8.self)
    }

    /// What the text is instead of a receipt; nil if that cannot be recognised.
    private static func form(of text: Substring.UTF8View) -> String? {
        let words = Substring(text.prefix(1000))
        switch text.first {
        case UInt8(ascii: "e") where text.starts(with: "eyJ".utf8) && text.contains(UInt8(ascii: ".")):
            return "is a JWS of StoreKit 2, and not a receipt; it belongs in signedTransactions"
        case UInt8(ascii: "{") where words.contains("Payload"):
            return "is Unity's JSON around a receipt; send the text of its field Payload"
        case UInt8(ascii: "{") where words.contains("bytes = 0x"), UInt8(ascii: "<") where words.hasPrefix("<308"):
            return "is the description of an NSData; send its base64EncodedString"
        case UInt8(ascii: "{"): return "is a JSON object; send the Base64 of the receipt alone"
        case UInt8(ascii: "["): return "is a list, or a JavaScript object as text; send the Base64 of the receipt alone"
        case UInt8(ascii: "\""): return "has quotation marks around it: it was encoded as JSON twice; encode it once"
        case UInt8(ascii: "d") where words.hasPrefix("data:"): return "is a data: URL; send what follows the comma"
        case UInt8(ascii: "-") where words.hasPrefix("-----BEGIN"):
            return "has lines of PEM around it; send the Base64 between them"
        default: return nil
        }
    }

    /// How the text was altered on its way; nil if it was not altered, or in a way that is not recognised.
    ///
    /// Line breaks do no harm.
    private static func alteration(of text: Substring.UTF8View) -> String? {
        if text.contains(UInt8(ascii: "%")) { return "is percent-encoded; decode it once before you send it" }
        if text.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) {
            return "is in the URL-safe alphabet of Base64; send + and / in place of - and _"
        }
        if text.contains(UInt8(ascii: "\\")) { return "has line breaks written as \\n or \\r; remove them" }
        // A space counts only between two characters of one line. White space at the ends of lines does not count.
        let lines = text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        let hasSpace = lines.contains { line in
            guard let first = line.firstIndex(where: { !$0.isWhiteSpace }), let last = line.lastIndex(where: { !$0.isWhiteSpace })
            else { return false }
            return line[first...last].contains(UInt8(ascii: " "))
        }
        return hasSpace ? "has spaces: each + became a space on the way, as it does in a form; percent-encode it there" : nil
    }
}
