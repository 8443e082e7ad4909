/// Whether what is published of a campaign counts. The raw values are stored.
public enum CampaignStanding: String, CaseIterable, Sendable {
    /// Nothing was ever published.
    case unpublished
    /// It counts, within its schedule.
    case live
    /// It counts for nobody until it is resumed.
    case paused
    /// It is over, for ever.
    case ended
}
