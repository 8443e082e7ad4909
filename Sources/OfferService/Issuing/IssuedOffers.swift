package import EligibilityRules
import WireText

/// The outcome of a request: what all its signatures have in common, and one result for each item.
package struct IssuedOffers: Sendable {
    package let keyID: String
    /// The timestamp of every signature, in ms since 1970.
    package let timestamp: Int64
    package let applicationUsername: String
    /// The campaigns that have taken the customer, if one of the items asked for campaigns.
    package var assignments: [CampaignAssignment] = []
    /// The results, in the order of the items.
    package var results: [OfferResult]

    package init(keyID: String, timestamp: Int64, applicationUsername: String, results: [OfferResult] = []) {
        self.keyID = keyID
        self.timestamp = timestamp
        self.applicationUsername = applicationUsername
        self.results = results
    }

    /// When the signatures expire, in ms since 1970: the App Store accepts them for 24 hours.
    package var expiresAt: Int64 { timestamp + SignatureValidity.duration }
}
