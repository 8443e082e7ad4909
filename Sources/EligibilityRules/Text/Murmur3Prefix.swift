/// The common beginning of texts that are hashed with MurmurHash3 x86 32-bit.
///
/// The beginning is hashed only once, however many texts follow.
public struct Murmur3Prefix: Sendable {
    private static let firstFactor: UInt32 = 0xcc9e_2d51
    private static let secondFactor: UInt32 = 0x1b87_3593

    private var state: UInt32
    // The bytes that do not yet fill a block of four. The first one is the lowest byte of the number.
    private var block: UInt32 = 0
    private var filled: UInt32 = 0
    private var count: UInt32 = 0

    /// Hashes the UTF-8 of the beginning.
    public init(_ text: String, seed: UInt32 = 0) {
        state = seed
        for byte in text.utf8 { append(byte) }
    }

    /// Returns the hash of the beginning followed by a text.
    public func hash(appending text: String) -> UInt32 {
        var copy = self
        let isAppended = text.utf8.withContiguousStorageIfAvailable { bytes in
            for byte in bytes { copy.append(byte) }
            return true
        }
        if isAppended == nil { for byte in text.utf8 { copy.append(byte) } }
        return copy.finished
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        block |= UInt32(byte) << (8 &* filled)
        filled &+= 1
        count &+= 1
        if filled == 4 {
            state = Self.rotate(state ^ Self.scrambled(block), by: 13) &* 5 &+ 0xe654_6b64
            (block, filled) = (0, 0)
        }
    }

    private var finished: UInt32 {
        let last = filled > 0 ? state ^ Self.scrambled(block) : state
        var mixed = last ^ count
        mixed = (mixed ^ mixed >> 16) &* 0x85eb_ca6b
        mixed = (mixed ^ mixed >> 13) &* 0xc2b2_ae35
        return mixed ^ mixed >> 16
    }

    private static func scrambled(_ block: UInt32) -> UInt32 { rotate(block &* firstFactor, by: 15) &* secondFactor }

    private static func rotate(_ value: UInt32, by count: UInt32) -> UInt32 { value &<< count | value &>> (32 &- count) }
}
