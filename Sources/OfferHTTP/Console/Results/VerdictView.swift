import EligibilityRules
import OfferService

/// What a test has shown, and what to do about it.
struct VerdictView: TemplateView {
    let tone: String
    let badge: String
    /// How long a verdict is likely to take.
    let needed: String
    let sentence: String
    let caution: String?
    /// The way to act on a winner.
    let winner: LinkView?

    init(_ report: ExperimentReport, of campaign: ManagedCampaign, _ visit: CampaignVisit) {
        let verdict = report.results.verdict
        (tone, badge) =
            switch verdict.code {
            case .winner: ("good", "Winner: \(report.winner?.label ?? "")")
            case .noDifference: ("idle", "No difference worth knowing")
            case .noVerdictYet, .tooLittleData: ("info", "Cannot say yet")
            case .sampleRatioMismatch: ("bad", "No verdict: the split is off")
            }
        needed = report.results.daysNeeded.map { "about \(ConsoleTime.count($0, "more day"))" } ?? ""
        sentence = verdict.sentence
        caution = verdict.caution
        winner = report.winner.flatMap { Self.link(to: $0, of: campaign, visit) }
    }

    private static func link(to winner: CampaignVariant, of campaign: ManagedCampaign, _ visit: CampaignVisit) -> LinkView? {
        if winner.isControl {
            guard visit.may(.campaignRuns), !campaign.position.isEnded else { return nil }
            return LinkView(href: visit.path(campaign.name.id, "end"), label: "End the campaign …")
        }
        guard visit.may(.campaignDrafts) else { return nil }
        return LinkView(href: visit.path(campaign.name.id, "winner"), label: "Give the winner to all …")
    }
}
