/// The result of writing a campaign.
public enum CampaignOutcome: Equatable, Sendable {
    /// The record was written.
    case written
    /// Another caller changed the campaign first. Nothing was written. Holds the current record; nil if it no longer exists.
    case changedMeanwhile(CampaignRecord?)
}
