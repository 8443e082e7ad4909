/// The Base64 of a receipt as it was sent, and what has happened to it on its way from the device.
package enum ReceiptText {
    /// Why a text is not the Base64 of a receipt: what it is, and what to send, as the rest of a sentence about the field.
    package struct Mistake: Error, Equatable {
        package let reason: String
    }

    /// Returns the Base64 without white space at its ends and without line breaks. Throws for any other text.
    package static func read(_ text: String) throws(Mistake) -> String {
        guard !text.utf8.allSatisfy(isBase64) || text.isEmpty else {
            if text.hasPrefix("TUlJ") || text.hasPrefix("TUlB") {
                throw Mistake(reason: "is Base64 of Base64; encode the receipt once")
            }
            return text
        }
        let trimmed = text.utf8.trimmingPrefix(while: isBlank)
        if let mistake = form(of: trimmed) ?? alteration(of: trimmed) { throw Mistake(reason: mistake) }
        let joined = trimmed.filter { !isBlank($0) }
        guard !joined.isEmpty, joined.allSatisfy(isBase64) else {
            throw Mistake(reason: "must be a receipt in standard Base64")
        }
        return String(decoding: joined, as: UTF8.self)
    }

    /// What it is instead of a receipt; nil if that is not seen.
    private static func form(of text: Substring.UTF8View) -> String? {
        if text.starts(with: "eyJ".utf8), text.contains(UInt8(ascii: ".")) {
            return "is a JWS of StoreKit 2, and not a receipt; it belongs in signedTransactions"
        }
        if text.first == UInt8(ascii: "{") {
            let names = Substring(text)
            return names.contains("\"Payload\"")
                ? "is Unity's JSON around a receipt; send the text of its field Payload"
                : "is a JSON object; send the Base64 of the receipt alone"
        }
        if text.starts(with: "-----BEGIN".utf8) { return "has lines of PEM around it; send the Base64 between them" }
        return nil
    }

    /// What was done to it on the way; nil if nothing is seen. Line breaks do no harm.
    private static func alteration(of text: Substring.UTF8View) -> String? {
        if text.contains(UInt8(ascii: "%")) { return "is percent-encoded; decode it once before you send it" }
        if text.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) {
            return "is in the URL-safe alphabet of Base64; send + and / in place of - and _"
        }
        if text.contains(UInt8(ascii: "\\")) { return "has line breaks written as \\n or \\r; remove them" }
        // A space between two characters of one line. White space at the ends of lines is not one.
        let lines = text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        let hasSpace = lines.contains { line in
            guard let first = line.firstIndex(where: { !isBlank($0) }), let last = line.lastIndex(where: { !isBlank($0) })
            else { return false }
            return line[first...last].contains(UInt8(ascii: " "))
        }
        return hasSpace ? "has spaces: each + became a space on the way, as it does in a form; percent-encode it there" : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
