/// Whether the published revision of a campaign is in effect. The raw values are stored.
public enum CampaignStanding: String, CaseIterable, Sendable {
    /// Nothing was ever published.
    case unpublished
    /// The revision is in effect, within its schedule.
    case live
    /// The revision is not in effect until it is resumed.
    case paused
    /// The campaign has ended for good.
    case ended
}
