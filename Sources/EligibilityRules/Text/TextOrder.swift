/// The order of texts by their bytes, which does not depend on Unicode equivalence.
enum TextOrder {
    /// Whether the bytes of one text come before those of another.
    static func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

    /// Returns the later of two texts in this order, or the only one that there is.
    static func later(_ left: String?, _ right: String?) -> String? {
        guard let left, let right else { return left ?? right }
        return precedes(left, right) ? right : left
    }

    /// Returns each text once, in order.
    static func distinct(_ texts: [String]) -> [String] {
        texts.count < 2 ? texts : Set(texts.map(ExactText.init)).map(\.string).sorted(by: precedes)
    }
}

/// MurmurHash3 x86 32-bit, the hash from which every bucket is computed.
public enum Murmur3 {
    /// Returns the hash of the text's UTF-8.
    public static func hash(_ text: String, seed: UInt32 = 0) -> UInt32 {
        Murmur3Prefix("", seed: seed).hash(appending: text)
    }
}
