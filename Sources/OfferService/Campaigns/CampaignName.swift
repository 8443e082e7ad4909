/// Identifies a campaign among those of all apps.
package struct CampaignName: Hashable, Sendable {
    /// The id, which is unique within the app.
    package let id: String
    package let bundleID: String

    package init(_ id: String, of bundleID: String) {
        self.id = id
        self.bundleID = bundleID
    }
}
