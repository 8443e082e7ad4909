/// Identifies a campaign.
package struct CampaignName: Hashable, Sendable {
    /// Unique in the app.
    package let id: String
    package let bundleID: String

    package init(_ id: String, of bundleID: String) {
        self.id = id
        self.bundleID = bundleID
    }
}
