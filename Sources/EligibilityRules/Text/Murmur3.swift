/// MurmurHash3 x86 32-bit, the hash under every bucketing decision.
public enum Murmur3 {
    private static let firstFactor: UInt32 = 0xcc9e_2d51
    private static let secondFactor: UInt32 = 0x1b87_3593

    /// The hash of the text's UTF-8.
    public static func hash(_ text: String, seed: UInt32 = 0) -> UInt32 {
        var state = seed
        var block: UInt32 = 0
        var filled: UInt32 = 0
        for byte in text.utf8 {
            block |= UInt32(byte) << (8 * filled)
            filled += 1
            if filled == 4 {
                state = rotate(state ^ scrambled(block), by: 13) &* 5 &+ 0xe654_6b64
                (block, filled) = (0, 0)
            }
        }
        if filled > 0 { state ^= scrambled(block) }
        return finalised(state ^ UInt32(truncatingIfNeeded: text.utf8.count))
    }

    private static func scrambled(_ block: UInt32) -> UInt32 { rotate(block &* firstFactor, by: 15) &* secondFactor }

    private static func finalised(_ state: UInt32) -> UInt32 {
        var state = (state ^ state >> 16) &* 0x85eb_ca6b
        state = (state ^ state >> 13) &* 0xc2b2_ae35
        return state ^ state >> 16
    }

    private static func rotate(_ value: UInt32, by count: UInt32) -> UInt32 { value << count | value >> (32 - count) }
}
