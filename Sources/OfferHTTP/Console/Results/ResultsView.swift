import EligibilityRules
import OfferService

/// The results of a campaign, for the template `campaign-results`.
struct ResultsView: PageView {
    static let template = "campaign-results"

    /// The progress of the first count.
    struct Counting: TemplateView {
        let done: String
        let total: String
        /// The width of the bar that shows how much is counted.
        let width: String

        init(_ progress: CountingProgress) {
            done = ConsoleTime.number(progress.done)
            total = progress.total.map { "of \(ConsoleTime.number($0))" } ?? ""
            width = ConsoleTime.percent(progress.done, of: max(1, progress.total ?? 0))
        }
    }

    let head: CampaignHead
    let counting: Counting?
    /// The report; nil while the first count is under way, and if nothing was published yet.
    let report: ReportView?
    let rehearsal: RehearsalView?
    /// The hypothesis of the published revision; nil if its author has written none.
    let hypothesis: String?
    let notes: CampaignNotesView
    /// The path of the tab that shows the campaign's rule.
    let rule: String

    /// - Parameters:
    ///   - figures: the results, or the progress of counting them; nil if nothing was published yet.
    ///   - storefront: the storefront whose results are shown beside those of all customers; empty if none is chosen.
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

/// How often the testers of a campaign got each variant.
struct RehearsalView: TemplateView {
    /// One variant, and how often testers got it.
    struct Variant: TemplateView {
        let variant: String
        let times: String
        /// The text that separates this variant from the next one.
        let separator: String
    }

    let variants: [Variant]
    /// The path of the page about the campaign's testers.
    let href: String

    /// Returns nil if no tester has got a variant yet.
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
