import OfferSigning

/// The rules for ids and user names from any source: requests, imports, configuration, commands.
package enum Identifier {
    /// The maximum length of an id or a user name, in Unicode scalars.
    static let maxLength = 255
    private static let maxTransactionIDLength = 64

    /// The reason why a text cannot be an id or a user name; nil if it can.
    package static func fault(of text: String, mayBeEmpty: Bool = false) -> String? {
        if text.isEmpty { return mayBeEmpty ? nil : "is empty" }
        var text = text
        // Most texts are short ASCII without U+0000. Such a text has none of the faults below, so one quick test is enough for
        // it.
        if text.withUTF8({ $0.count <= maxLength && isASCIIWithoutNull($0) }) { return nil }
        if text.utf8.count > maxLength, text.unicodeScalars.count > maxLength {
            return "is longer than \(maxLength) characters"
        }
        if text.utf8.contains(0) { return "contains U+0000" }
        return OfferPayload.containsSeparator(text) ? "contains U+2063, which separates the signed fields" : nil
    }

    /// The reason why a text cannot be an App Store transaction id; nil if it can.
    package static func fault(ofTransactionID text: String) -> String? {
        guard (1...maxTransactionIDLength).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return "must be a transaction id of up to \(maxTransactionIDLength) visible ASCII characters"
        }
        return nil
    }

    private static func isASCIIWithoutNull(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Reads to the end in any case: a loop without an early exit handles 16 bytes at a time.
        var found: UInt8 = 0
        for byte in bytes { found |= byte | (byte &- 1) }
        return found < 0x80
    }
}
