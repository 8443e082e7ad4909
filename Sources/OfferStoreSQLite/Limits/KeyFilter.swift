import OfferStore

/// A growing Bloom filter (Bloom, 1970) of keys: 16 bits for each, and about 1 false positive in 400.
///
/// When it is full, it adds another part of twice the size.
struct KeyFilter {
    private static let bitsPerKey = 16
    private static let probes = 4
    private static let firstCapacity = 1 << 12

    private struct Part {
        var words: [UInt64]
        var free: Int

        init(capacity: Int) {
            words = Array(repeating: 0, count: capacity * KeyFilter.bitsPerKey / UInt64.bitWidth)
            free = capacity
        }
    }

    private var parts: [Part] = []

    /// Inserts a key. Repeated insertions have no effect.
    mutating func insert(_ key: LimitKey) {
        guard !mayContain(key) else { return }
        if parts.last.map({ $0.free == 0 }) ?? true { parts.append(Part(capacity: Self.firstCapacity << parts.count)) }
        let last = parts.count - 1
        for probe in 0..<Self.probes {
            let bit = Self.bit(probe, key, parts[last].words.count)
            parts[last].words[bit >> 6] |= 1 << UInt64(bit & 63)
        }
        parts[last].free -= 1
    }

    /// Returns false only if the key was never inserted.
    func mayContain(_ key: LimitKey) -> Bool {
        parts.contains { part in
            for probe in 0..<Self.probes {
                let bit = Self.bit(probe, key, part.words.count)
                if part.words[bit >> 6] & 1 << UInt64(bit & 63) == 0 { return false }
            }
            return true
        }
    }

    /// Derives all probes from two halves of a hash (Kirsch and Mitzenmacher, 2008).
    private static func bit(_ probe: Int, _ key: LimitKey, _ words: Int) -> Int {
        let key = UInt64(bitPattern: key.hash)
        let step = key >> 32 | 1
        return Int(truncatingIfNeeded: (key &+ UInt64(probe) &* step) & UInt64(words * UInt64.bitWidth - 1))
    }
}
