package import FoundationEssentials

/// The signatures that a redemption may belong to, the likeliest first.
package struct RedemptionCandidates: Sendable {
    /// Maximum number of signatures in the list.
    ///
    /// Earlier signatures than these are left out: the customer has redeemed them already, or will not redeem them any more.
    private static let limit = 256

    /// The criteria for the signatures.
    package let match: RedemptionMatch
    /// The signatures' nonces.
    package private(set) var nonces: [UUID] = []

    package init(_ match: RedemptionMatch) { self.match = match }

    package var isFull: Bool { nonces.count >= Self.limit }

    /// Adds the matching signatures of a request of the customer. Add the latest request first.
    ///
    /// - Parameters:
    ///   - offers: as `OfferList` writes them.
    ///   - nonces: the concatenated nonces.
    package mutating func add(offers: String, nonces: UnsafeRawBufferPointer) throws(StoreError) {
        let (offers, length) = (try OfferList.read(offers), LedgerSignature.nonceLength)
        guard nonces.count == offers.count * length else {
            throw StoreError(.damaged, "a row of the ledger does not have as many nonces as offers")
        }
        for (index, offer) in offers.enumerated().reversed()
        where match.isOf(productID: offer.productID, offerID: offer.offerID) {
            self.nonces.append(UUID(uuid: nonces.loadUnaligned(fromByteOffset: index * length, as: uuid_t.self)))
        }
    }
}
