/// What came of writing a campaign.
public enum CampaignOutcome: Equatable, Sendable {
    /// It is as was wanted.
    case written
    /// Somebody else has changed it before, and it is as they left it: this. Nothing was written. Nil: it is gone.
    case changedMeanwhile(CampaignRecord?)
}
