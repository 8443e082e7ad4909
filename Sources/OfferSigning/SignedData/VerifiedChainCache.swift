import Synchronization

/// Chains that verified a while ago: P-384 is slow, and the App Store's chain is the same for months.
///
/// For any number of threads. Only verified chains may be put in.
final class VerifiedChainCache: Sendable {
    private struct Entry {
        let chain: VerifiedChain
        let added: Int64
    }

    private let entries = Mutex<[[UInt8]: Entry]>([:])
    private let capacity: Int
    private let lifetime: Int64

    /// - Parameter lifetime: how long a chain is believed without a look, ms.
    init(capacity: Int, lifetime: Int64) {
        self.capacity = capacity
        self.lifetime = lifetime
    }

    /// The name of a chain: SHA-256 over its certificates in DER, each with its length before it.
    static func key(of certificates: [[UInt8]]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(certificates.reduce(0) { $0 + $1.count + 8 })
        for certificate in certificates {
            withUnsafeBytes(of: UInt64(certificate.count).bigEndian) { text.append(contentsOf: $0) }
            text.append(contentsOf: certificate)
        }
        return Crypto.sha256(text)
    }

    /// A chain that verified less than the lifetime ago; `now` in ms since 1970.
    func chain(_ key: [UInt8], now: Int64) -> VerifiedChain? {
        entries.withLock { entries in
            guard let entry = entries[key] else { return nil }
            // A clock that was set back makes an entry look younger than new: it goes, too.
            guard (0..<lifetime).contains(now &- entry.added) else {
                entries[key] = nil
                return nil
            }
            return entry.chain
        }
    }

    /// Remembers a verified chain, in place of the oldest one when full.
    func insert(_ chain: VerifiedChain, for key: [UInt8], now: Int64) {
        guard capacity > 0 else { return }
        entries.withLock { entries in
            // Looking through all of them costs a thousandth of the verification that led here.
            if entries[key] == nil, entries.count >= capacity, let oldest = entries.min(by: { $0.value.added < $1.value.added }) {
                entries[oldest.key] = nil
            }
            entries[key] = Entry(chain: chain, added: now)
        }
    }
}
