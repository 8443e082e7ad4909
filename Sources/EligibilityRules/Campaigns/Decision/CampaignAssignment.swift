/// That a campaign has taken a customer: to be counted as an exposure, whatever is offered.
public struct CampaignAssignment: Hashable, Sendable {
    /// The revision that decided.
    public let revision: CampaignRevision
    /// What it came to: held out or assigned.
    public let verdict: CampaignVerdict
    /// That it was given to a tester: it never counts for results; nil for everybody else.
    public let rehearsal: CampaignRehearsal?

    init(_ revision: CampaignRevision, _ verdict: CampaignVerdict, _ rehearsal: CampaignRehearsal? = nil) {
        self.revision = revision
        self.verdict = verdict
        self.rehearsal = rehearsal
    }

    /// The campaign.
    public var campaignID: String { revision.campaign.id }

    /// The variant's id, or `holdout`.
    public var variant: String {
        if case .assigned(let index) = verdict { revision.campaign.variants[index].id } else { CampaignVariant.holdout }
    }
}
