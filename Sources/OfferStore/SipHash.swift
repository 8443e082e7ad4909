/// SipHash-2-4 (Aumasson and Bernstein, 2012). Without the key, collisions cannot be constructed.
package struct SipHash: Sendable {
    private let key: (UInt64, UInt64)

    /// - Parameter key: 16 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == 16)
        self.key = key.withUnsafeBytes { (SipHash.word($0, at: 0), SipHash.word($0, at: 8)) }
    }

    package func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var stream = Stream(self)
        stream.append(bytes)
        return stream.hash
    }

    /// Hashes bytes incrementally. A copy continues independently.
    package struct Stream {
        private var state: State
        private var count = 0
        // Bytes that do not fill a word yet.
        private var rest: UInt64 = 0

        package init(_ hash: SipHash) { state = State(hash.key) }

        package mutating func append(_ bytes: UnsafeRawBufferPointer) {
            // A shift by 64 is made of two shifts, which is faster than a test for it.
            let filled = UInt64(count & 7) * 8
            count += bytes.count
            var offset = 0
            while bytes.count - offset >= 8 {
                let word = SipHash.word(bytes, at: offset)
                state.absorb(rest | word &<< filled)
                rest = (word &>> 1) &>> (63 - filled)
                offset += 8
            }
            let tail = SipHash.tail(bytes, from: offset)
            rest |= tail &<< filled
            guard UInt64(bytes.count - offset) * 8 + filled >= 64 else { return }
            state.absorb(rest)
            rest = (tail &>> 1) &>> (63 - filled)
        }

        /// The hash of all bytes so far.
        package var hash: UInt64 {
            var state = state
            state.absorb(rest | UInt64(truncatingIfNeeded: count) << 56)
            return state.finish()
        }
    }

    /// The remaining bytes, fewer than a word, zero-extended.
    @inline(__always)
    private static func tail(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> UInt64 {
        let count = bytes.count - offset
        if count == 0 { return 0 }
        if bytes.count >= 8 { return word(bytes, at: bytes.count - 8) &>> UInt64(64 - 8 * count) }
        var tail: UInt64 = 0
        for index in 0..<count { tail |= UInt64(bytes[offset + index]) &<< UInt64(8 * index) }
        return tail
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

        @inline(__always)
        mutating func absorb(_ word: UInt64) {
            v.3 ^= word
            round()
            round()
            v.0 ^= word
        }

        @inline(__always)
        mutating func finish() -> UInt64 {
            v.2 ^= 0xff
            for _ in 0..<4 { round() }
            return v.0 ^ v.1 ^ v.2 ^ v.3
        }

        @inline(__always)
        private mutating func round() {
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

        @inline(__always)
        private func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word &<< count | word &>> (64 - count) }
    }
}
