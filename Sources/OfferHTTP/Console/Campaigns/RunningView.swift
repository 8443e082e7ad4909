import OfferService

/// A published campaign, and the steps that are possible with it.
struct RunningView: TemplateView {
    /// The button that pauses or resumes it.
    struct Step: TemplateView {
        let op: String
        let label: String
    }

    let title: String
    let text: RichText
    let mayRun: Bool
    let action: String
    let seen: String
    let step: Step?
    /// The path of the page that ends it.
    let end: String
    /// The people who can pause or end it.
    let whoRuns: String

    init(_ campaign: ManagedCampaign, title: String, text: RichText, whoRuns: String, _ visit: CampaignVisit) {
        self.title = title
        self.text = text
        mayRun = visit.may(.campaignRuns)
        action = visit.path(campaign.name.id, "state")
        seen = "\(campaign.version)"
        step = CampaignListPage.step(campaign).map { Step(op: $0.rawValue, label: $0 == .pause ? "Pause" : "Resume") }
        end = visit.path(campaign.name.id, "end")
        self.whoRuns = whoRuns
    }
}
