import EligibilityRules
import OfferService

/// The results of a campaign, for the template `campaign-results`.
struct ResultsView: PageView {
    static let template = "campaign-results"

    /// The progress of the first count.
    struct Counting: TemplateView {
        let done: String
        let total: String
        /// The part that is done, for a drawing.
        let width: String

        init(_ progress: CountingProgress) {
            done = ConsoleTime.number(progress.done)
            total = progress.total.map { "of \(ConsoleTime.number($0))" } ?? ""
            width = ConsoleTime.percent(progress.done, of: max(1, progress.total ?? 0))
        }
    }

    let head: CampaignHead
    let counting: Counting?
    /// Nil while the first count is under way, and if nothing was published yet.
    let report: ReportView?
    let rehearsal: RehearsalView?
    /// What the author of the published revision expected.
    let hypothesis: String?
    let notes: CampaignNotesView
    /// The path of the rule.
    let rule: String

    /// Creates the view of a campaign's results.
    ///
    /// - Parameters:
    ///   - figures: nil if nothing was published yet.
    ///   - storefront: the storefront that is shown beside the whole; empty: none.
    init(
        _ campaign: ManagedCampaign,
        _ visit: CampaignVisit,
        _ figures: ExperimentFigures?,
        _ rehearsals: [RehearsalCount],
        _ notes: CampaignNotesView,
        storefront: String
    ) {
        head = CampaignHead(campaign, at: .results, visit)
        counting = if case .counting(let progress) = figures { Counting(progress) } else { nil }
        report =
            if case .counted(let report, _) = figures {
                ReportView(report, of: campaign, visit, storefront: storefront)
            } else { nil }
        rehearsal = RehearsalView(rehearsals, of: campaign.text?.campaign, href: visit.path(campaign.name.id, "testers"))
        hypothesis = campaign.published?.text.campaign?.hypothesis
        self.notes = notes
        rule = visit.path(campaign.name.id, "rule")
    }
}

/// What the testers of a campaign have met.
struct RehearsalView: TemplateView {
    /// The testers of a variant.
    struct Variant: TemplateView {
        let variant: String
        let times: String
        /// The text after it.
        let separator: String
    }

    let variants: [Variant]
    /// The path of the page about testers.
    let href: String

    /// Returns nil if there are no counts.
    init?(_ counts: [RehearsalCount], of campaign: Campaign?, href: String) {
        guard !counts.isEmpty else { return nil }
        variants = counts.enumerated().map { place, count in
            Variant(
                variant: campaign.label(ofVariant: count.variant),
                times: "(\(ConsoleTime.count(count.exposed, "tester")), \(ConsoleTime.count(count.signed, "signature")))",
                separator: place + 1 < counts.count ? ", " : ".")
        }
        self.href = href
    }
}
