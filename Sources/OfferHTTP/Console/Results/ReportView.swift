import EligibilityRules
import OfferService

/// The report of a test. If the split is off, nothing that compares variants is shown.
struct ReportView: TemplateView {
    /// The form that chooses a storefront.
    struct Filter: TemplateView {
        let action: String
        let choices: [FieldView.Choice]
    }

    let verdict: VerdictView
    /// Nil if no storefronts are known.
    let filter: Filter?
    /// The storefront that is shown beside the whole.
    let part: PartView?
    /// The revisions that are counted together.
    let revisions: String
    let asOf: RichText
    /// The path of the file with the same numbers.
    let csv: String
    let showsComparison: Bool
    /// Whether the chance to beat the control is shown. It holds for one look, so it needs a verdict that states no less.
    let showsChance: Bool
    /// Why the chance is not shown yet.
    let chanceWaits: String?
    let variants: [VariantRow]
    let holdout: CountsView?
    /// Nil if nothing was paid yet.
    let revenue: RevenueView?
    /// When a customer counts as converted.
    let goal: String
    let band: BandChart?
    let forest: ForestPlot?
    let trust: [MarkView]
    /// The method, in statistical terms.
    let method: String
    let segments: SegmentsView?

    /// Creates the view of a report.
    ///
    /// - Parameter storefront: the storefront that is shown beside the whole; empty: none.
    init(_ report: ExperimentReport, of campaign: ManagedCampaign, _ visit: CampaignVisit, storefront: String) {
        let results = report.results
        let storefronts = results.segments.filter { $0.tally.dimension == "storefront" }
        verdict = VerdictView(report, of: campaign, visit)
        filter =
            storefronts.isEmpty
            ? nil
            : Filter(
                action: visit.path(campaign.name.id, "results"),
                choices: storefronts.map { each in
                    FieldView.Choice(id: each.tally.value, label: each.tally.name, isChosen: each.tally.value == storefront)
                })
        part = storefronts.first { $0.tally.value == storefront }.map { PartView(report: report, segment: $0) }
        revisions = Self.revisions(report.revisions.numbers)
        asOf = visit.time.at(report.asOf)
        csv = visit.path(campaign.name.id, "results.csv")
        showsComparison = !results.sampleRatio.isOff
        showsChance = results.verdict.code == .winner
        chanceWaits =
            showsComparison && !showsChance && results.variants.contains { $0.comparison != nil }
            ? "The chance to beat the control is shown once there is a verdict: before that, it is often high by luck." : nil
        variants = results.variants.indices.map { VariantRow(report, $0) }
        holdout = report.holdout.exposed > 0 ? CountsView(report.holdout, report.holdoutConversion) : nil
        revenue = RevenueView(report)
        goal = Self.words(report.revisions.campaign.design.goal)
        band = BandChart(report.bands, names: report.revisions.variants.map(\.label), time: visit.time)
        forest = showsComparison ? ForestPlot(results.variants) : nil
        trust = TrustMarks.all(report)
        method = results.method
        segments = SegmentsView(report)
    }

    private static func revisions(_ numbers: ClosedRange<Int>) -> String {
        numbers.count == 1 ? "revision \(numbers.lowerBound)" : "revisions \(numbers.lowerBound) to \(numbers.upperBound)"
    }

    private static func words(_ goal: CampaignGoal) -> String {
        let window = PeriodWords.text(goal.window.text)
        return switch goal.metric {
        case .subscribed:
            "Converted: subscribed within \(window) of the first exposure, and was not refunded; the same for every variant, control included."
        case .retained:
            "Converted: was subscribed \(window) after the first exposure, and was not refunded; the same for every variant, control included."
        case .redeemed: "Converted: redeemed the offer within \(window) of the first exposure, and was not refunded."
        }
    }
}
