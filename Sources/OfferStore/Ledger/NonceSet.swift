package import FoundationEssentials

/// The nonces of one request, and their series. The ledger accepts each series for one request only, for as long as a nonce of it
/// could be signed.
///
/// Nonces of a series share their first eight bytes and differ in the last six bits of the next byte. The remaining bytes only
/// prove the nonce's origin.
package struct NonceSet {
    /// A series, and the set of its 64 nonces.
    private typealias Part = (series: UInt64, members: UInt64)

    // The only series of most requests.
    private var first: Part?
    private var further: [Part] = []

    package init() {}

    /// Creates a set of the signatures' nonces.
    package init(_ signatures: [LedgerSignature]) {
        for index in signatures.indices { _ = insert(signatures[index].nonce) }
    }

    /// The number of series.
    package var count: Int { first == nil ? 0 : 1 + further.count }

    /// Calls `body` with each series, in the order of insertion.
    package func forEachSeries(_ body: (UInt64) throws -> Void) rethrows {
        if let first { try body(first.series) }
        for part in further { try body(part.series) }
    }

    /// Inserts a nonce. Returns false if it is present already.
    package mutating func insert(_ nonce: UUID) -> Bool {
        let (series, member) = (nonce.series, UInt64(1) << UInt64(nonce.uuid.8 & 0x3F))
        guard let first else {
            self.first = (series, member)
            return true
        }
        if first.series == series {
            self.first!.members |= member
            return first.members & member == 0
        }
        guard let index = further.lastIndex(where: { $0.series == series }) else {
            further.append((series, member))
            return true
        }
        defer { further[index].members |= member }
        return further[index].members & member == 0
    }
}

extension UUID {
    /// The first eight bytes, big-endian.
    package var series: UInt64 { withUnsafeBytes(of: uuid) { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) } }
}
