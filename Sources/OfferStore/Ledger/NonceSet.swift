package import FoundationEssentials

/// The nonces of one request and the series that they are of: what the ledger takes, each for one request for ever.
///
/// Nonces of one series share their first eight bytes and differ in the last six bits of the next; the rest of a nonce only proves where
/// it comes from.
package struct NonceSet {
    /// The first eight bytes of the nonces.
    package private(set) var series: [UInt64] = []
    /// For each series, which of its 64 nonces are there.
    private var members: [UInt64] = []

    /// Makes an empty one.
    package init() {}

    /// Takes a nonce in. False if it is there already.
    package mutating func insert(_ nonce: UUID) -> Bool {
        let (key, member) = (nonce.series, UInt64(1) << UInt64(nonce.uuid.8 & 0x3F))
        guard let index = series.lastIndex(of: key) else {
            series.append(key)
            members.append(member)
            return true
        }
        defer { members[index] |= member }
        return members[index] & member == 0
    }
}

extension UUID {
    /// The first eight bytes, big-endian.
    package var series: UInt64 { withUnsafeBytes(of: uuid) { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) } }
}
