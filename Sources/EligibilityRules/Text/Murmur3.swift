/// MurmurHash3 x86 32-bit, the hash under every bucketing decision.
public enum Murmur3 {
    /// Returns the hash of the text's UTF-8.
    public static func hash(_ text: String, seed: UInt32 = 0) -> UInt32 {
        Murmur3Prefix("", seed: seed).hash(appending: text)
    }
}
