import Synchronization

/// A cache of verified chains. Verifying on P-384 is slow, and the App Store uses the same chain for months.
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

    /// The cache key of a chain: SHA-256 of its certificates in DER, each preceded by its length.
    static func key(of certificates: [[UInt8]]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(certificates.reduce(0) { $0 + $1.count + 8 })
        for certificate in certificates {
            withUnsafeBytes(of: UInt64(certificate.count).bigEndian) { text.append(contentsOf: $0) }
            text.append(contentsOf: certificate)
        }
        return Crypto.sha256(text)
    }

    /// The chain if it was verified less than the lifetime ago; nil otherwise. `now` is in ms since 1970.
    func chain(_ key: [UInt8], now: Int64) -> VerifiedChain? {
        entries.withLock { entries in
            guard let entry = entries[key] else { return nil }
            // After the clock was set back, an entry can have a negative age. Such an entry is removed, too.
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
            // A linear search costs a thousandth of the preceding verification.
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
    /// The time in which all certificates are valid, in seconds since 1970.
    let validity: ClosedRange<Int64>
}
