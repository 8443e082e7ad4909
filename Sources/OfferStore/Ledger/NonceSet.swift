package import FoundationEssentials

/// The nonces of one request and the series that they are of: what the ledger takes, each for one request for ever.
///
/// Nonces of one series share their first eight bytes and differ in the last six bits of the next; the rest of a nonce only proves where
/// it comes from.
package struct NonceSet {
    /// A series, and which of its 64 nonces are there.
    private typealias Part = (series: UInt64, members: UInt64)

    // Of most requests the only one.
    private var first: Part?
    private var further: [Part] = []

    /// Makes an empty one.
    package init() {}

    /// The nonces of some signatures.
    package init(_ signatures: [LedgerSignature]) {
        for index in signatures.indices { _ = insert(signatures[index].nonce) }
    }

    /// How many series there are.
    package var count: Int { first == nil ? 0 : 1 + further.count }

    /// Calls `body` with each series, in the order in which they came.
    package func forEachSeries(_ body: (UInt64) throws -> Void) rethrows {
        if let first { try body(first.series) }
        for part in further { try body(part.series) }
    }

    /// Takes a nonce in. False if it is there already.
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
