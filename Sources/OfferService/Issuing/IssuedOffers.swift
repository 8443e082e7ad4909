package import EligibilityRules

/// What became of a request: what its signatures share, and one result an item.
package struct IssuedOffers: Sendable {
    package let keyID: String
    /// Of every signature; ms since 1970.
    package let timestamp: Int64
    package let applicationUsername: String
    /// The campaigns that have taken the customer, where one of the items has asked them.
    package var assignments: [CampaignAssignment] = []
    /// In the order of the items.
    package var results: [OfferResult]

    /// Takes the values as they are.
    package init(keyID: String, timestamp: Int64, applicationUsername: String, results: [OfferResult] = []) {
        self.keyID = keyID
        self.timestamp = timestamp
        self.applicationUsername = applicationUsername
        self.results = results
    }

    /// The App Store takes a promotional-offer signature for 24 hours.
    package var expiresAt: Int64 { Self.expiry(of: timestamp) }

    /// Until when a signature of a timestamp is taken; both in ms since 1970.
    package static func expiry(of timestamp: Int64) -> Int64 { timestamp + 24 * 3600 * 1000 }
}
