/// What became of a request: what its signatures share, and one result an item.
struct IssuedOffers: Sendable {
    let items: [SignatureRequest.Item]
    let keyID: String
    /// Of every signature; ms since 1970.
    let timestamp: Int64
    let applicationUsername: String
    /// In the order of the items.
    var results: [OfferResult] = []

    /// The App Store takes a promotional-offer signature for 24 hours.
    var expiresAt: Int64 { timestamp + 24 * 3600 * 1000 }
}
