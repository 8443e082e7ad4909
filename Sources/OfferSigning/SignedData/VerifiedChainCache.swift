import Synchronization

/// A cache of verified certificate chains. It is worth while because verifying on P-384 is slow, and because the App Store uses
/// the same chain for months.
///
/// Thread-safe. Only verified chains may be inserted.
final class VerifiedChainCache: Sendable {
    private struct Entry {
        let chain: VerifiedChain
        let added: Int64
    }

    private let entries = Mutex<[[UInt8]: Entry]>([:])
    private let capacity: Int
    private let lifetime: Int64

    /// - Parameter lifetime: how long a cached chain is trusted, in ms.
    init(capacity: Int, lifetime: Int64) {
        self.capacity = capacity
        self.lifetime = lifetime
    }

    /// Returns the cache key of a chain: the SHA-256 of its certificates in DER, with the length before each.
    static func key(of certificates: [[UInt8]]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(certificates.reduce(0) { $0 + $1.count + 8 })
        for certificate in certificates {
            withUnsafeBytes(of: UInt64(certificate.count).bigEndian) { text.append(contentsOf: $0) }
            text.append(contentsOf: certificate)
        }
        return Crypto.sha256(text)
    }

    /// Returns the cached chain, if it was verified less than `lifetime` ago; otherwise nil. `now` is in ms since 1970.
    func chain(_ key: [UInt8], now: Int64) -> VerifiedChain? {
        entries.withLock { entries in
            guard let entry = entries[key] else { return nil }
            // If the clock was set back, an entry can have a negative age. Such an entry is removed, too.
            guard (0..<lifetime).contains(now &- entry.added) else {
                entries[key] = nil
                return nil
            }
            return entry.chain
        }
    }

    /// Inserts a verified chain, in place of the oldest one if the cache is full.
    func insert(_ chain: VerifiedChain, for key: [UInt8], now: Int64) {
        guard capacity > 0 else { return }
        entries.withLock { entries in
            // The linear search for the oldest entry takes a thousandth of the time that verifying the chain has taken.
            if entries[key] == nil, entries.count >= capacity, let oldest = entries.min(by: { $0.value.added < $1.value.added }) {
                entries[oldest.key] = nil
            }
            entries[key] = Entry(chain: chain, added: now)
        }
    }
}

/// The result of verifying a certificate chain.
struct VerifiedChain: Sendable {
    /// The leaf's public key.
    let key: KeyHandle
    /// The time in which all certificates of the chain are valid, in seconds since 1970.
    let validity: ClosedRange<Int64>
}
