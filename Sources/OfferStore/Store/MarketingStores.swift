/// The stores of campaigns.
public struct MarketingStores: Sendable {
    /// Campaigns and their revisions.
    public let campaigns: any CampaignStore
    /// The segments that campaigns copy.
    public let segments: any SegmentStore
    /// Customers' exposures to variants of campaigns.
    public let exposures: any ExposureStore

    /// Takes the parts of one file.
    public init(campaigns: any CampaignStore, segments: any SegmentStore, exposures: any ExposureStore) {
        self.campaigns = campaigns
        self.segments = segments
        self.exposures = exposures
    }
}
