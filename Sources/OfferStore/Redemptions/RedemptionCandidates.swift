package import FoundationEssentials

/// The signatures that a redemption may belong to, the likeliest first.
package struct RedemptionCandidates: Sendable {
    /// Of one customer's for one offer all but the last few are redeemed or never will be.
    private static let limit = 256

    /// Which they may be.
    package let match: RedemptionMatch
    /// Their nonces.
    package private(set) var nonces: [UUID] = []

    /// None yet.
    package init(_ match: RedemptionMatch) { self.match = match }

    /// Whether no more need be looked for.
    package var isFull: Bool { nonces.count >= Self.limit }

    /// Takes those of a request that may be the customer's; the latest request comes first.
    ///
    /// - Parameters:
    ///   - offers: as `OfferList` writes them.
    ///   - nonces: one after the other.
    package mutating func add(offers: String, nonces: UnsafeRawBufferPointer) throws(StoreError) {
        let (offers, length) = (try OfferList.read(offers), LedgerSignature.nonceLength)
        guard nonces.count == offers.count * length else {
            throw StoreError(.damaged, "a row of the ledger has not as many nonces as offers")
        }
        for (index, offer) in offers.enumerated().reversed()
        where match.isOf(productID: offer.productID, offerID: offer.offerID) {
            self.nonces.append(UUID(uuid: nonces.loadUnaligned(fromByteOffset: index * length, as: uuid_t.self)))
        }
    }
}
