/// SipHash-2-4 (Aumasson and Bernstein, 2012): whoever does not know the key cannot make two texts that share a hash.
struct SipHash: Sendable {
    private let key: (UInt64, UInt64)

    /// - Parameter key: 16 bytes.
    init(key: [UInt8]) {
        precondition(key.count == 16)
        self.key = key.withUnsafeBytes { (SipHash.word($0, at: 0), SipHash.word($0, at: 8)) }
    }

    /// The hash of any bytes.
    func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = State(key)
        let whole = bytes.count & ~7
        for offset in stride(from: 0, to: whole, by: 8) { state.absorb(SipHash.word(bytes, at: offset)) }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for index in whole..<bytes.count { last |= UInt64(bytes[index]) << UInt64(8 * (index - whole)) }
        state.absorb(last)
        return state.finish()
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private struct State {
        private var v: (UInt64, UInt64, UInt64, UInt64)

        init(_ key: (UInt64, UInt64)) {
            v = (
                key.0 ^ 0x736f_6d65_7073_6575, key.1 ^ 0x646f_7261_6e64_6f6d, key.0 ^ 0x6c79_6765_6e65_7261,
                key.1 ^ 0x7465_6462_7974_6573
            )
        }

        mutating func absorb(_ word: UInt64) {
            v.3 ^= word
            rounds(2)
            v.0 ^= word
        }

        mutating func finish() -> UInt64 {
            v.2 ^= 0xff
            rounds(4)
            return v.0 ^ v.1 ^ v.2 ^ v.3
        }

        private mutating func rounds(_ count: Int) {
            for _ in 0..<count {
                v.0 &+= v.1
                v.1 = rotated(v.1, 13) ^ v.0
                v.0 = rotated(v.0, 32)
                v.2 &+= v.3
                v.3 = rotated(v.3, 16) ^ v.2
                v.0 &+= v.3
                v.3 = rotated(v.3, 21) ^ v.0
                v.2 &+= v.1
                v.1 = rotated(v.1, 17) ^ v.2
                v.2 = rotated(v.2, 32)
            }
        }

        private func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
    }
}
