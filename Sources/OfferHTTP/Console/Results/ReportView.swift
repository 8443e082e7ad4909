import EligibilityRules
import OfferService

/// The report of a test.
///
/// If customers were not split among the variants as planned, nothing that compares the variants is shown.
struct ReportView: TemplateView {
    /// The form that chooses a storefront.
    struct Filter: TemplateView {
        let action: String
        let choices: [FieldView.Choice]
    }

    let verdict: VerdictView
    /// The form that chooses a storefront; nil if the results have no storefronts.
    let filter: Filter?
    /// The results of the chosen storefront; nil if none is chosen.
    let part: PartView?
    /// Which revisions of the campaign are counted together, in words.
    let revisions: String
    let asOf: RichText
    /// The path of the CSV file with the same numbers.
    let csv: String
    let showsComparison: Bool
    /// Whether the chance to beat the control is shown.
    ///
    /// The chance is valid only for a single look at the results. A reader who looks again and again would often see a high
    /// chance by luck. The verdict allows for repeated looks. The chance is therefore shown only once the verdict names a winner, and never if the verdict is about revenue.
    let showsChance: Bool
    /// The sentence that says why the chance is not shown yet; nil if it is shown, or if there is nothing to compare.
    let chanceWaits: String?
    let variants: [VariantRow]
    let holdout: CountsView?
    /// The table of revenue; nil if nothing was paid yet.
    let revenue: RevenueView?
    /// The table that compares every variant with every other; nil if nothing is compared.
    let pairs: PairsView?
    /// The sentence that says when a customer counts as converted.
    let goal: String
    let band: BandChart?
    let forest: ForestPlot?
    let trust: [MarkView]
    /// The method, in statistical terms.
    let method: String
    let segments: SegmentsView?

    /// - Parameter storefront: the storefront whose results are shown beside those of all customers; empty if none is chosen.
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
        let isAboutRates = report.revisions.plan.measure == .conversion
        showsChance = isAboutRates && results.verdict.code == .winner
        chanceWaits =
            isAboutRates && showsComparison && !showsChance && results.variants.contains { $0.comparison != nil }
            ? "The chance to beat the control is shown once there is a verdict: before that, it is often high by luck." : nil
        variants = results.variants.indices.map { VariantRow(report, $0) }
        holdout = report.holdout.exposed > 0 ? CountsView(report.holdout, report.holdoutConversion) : nil
        revenue = RevenueView(report)
        pairs = PairsView(results, report.revisions.plan.measure)
        goal = Self.words(report.revisions.campaign.design.goal)
        band = BandChart(
            report.bands, report.revisions.plan.measure, names: report.revisions.variants.map(\.label), time: visit.time)
        forest = showsComparison ? ForestPlot(results, report.revisions.plan.measure) : nil
        trust = TrustMarks.all(report)
        method = results.method
        segments = SegmentsView(report)
    }

    private static func revisions(_ numbers: ClosedRange<Int>) -> String {
        numbers.count == 1 ? "revision \(numbers.lowerBound)" : "revisions \(numbers.lowerBound) to \(numbers.upperBound)"
    }

    private static func cap(_ goal: CampaignGoal) -> String {
        goal.cap.map { ", each with \(FigureText.money($0)) at most" } ?? ""
    }

    private static func words(_ goal: CampaignGoal) -> String {
        let window = PeriodWords.text(goal.window.text)
        return switch goal.metric {
        case .subscribed:
            "Converted: subscribed within \(window) of the first exposure, and was not refunded; the same for every variant, control included."
        case .retained:
            "Converted: was subscribed \(window) after the first exposure, and was not refunded; the same for every variant, control included."
        case .convertedToPaid:
            "Converted: began a paid period within \(window) of the first exposure, and was not refunded; a free trial is not paid. The same for every variant, control included."
        case .revenue:
            "Converted: paid something within \(window) of the first exposure, and was not refunded. The verdict is about what customers paid in that time, in \(goal.currency ?? "")\(cap(goal)); the same for every variant, control included."
        case .redeemed: "Converted: redeemed the offer within \(window) of the first exposure, and was not refunded."
        }
    }
}

/// The counts of a variant or of the holdout, and their conversion.
struct CountsView: TemplateView {
    let exposed: String
    let matured: String
    let signed: String
    let redeemed: String
    let converted: String
    let refunded: String
    let rate: String
    let rateRange: String

    init(_ tally: OutcomeTally, _ interval: ConfidenceInterval) {
        exposed = ConsoleTime.number(tally.exposed)
        matured = ConsoleTime.number(tally.matured)
        signed = ConsoleTime.number(tally.signed)
        redeemed = ConsoleTime.number(tally.redeemed)
        converted = ConsoleTime.number(tally.converted)
        refunded = ConsoleTime.number(tally.refunded)
        rate = tally.matured == 0 ? "–" : ConsoleTime.share(tally.converted, of: tally.matured)
        rateRange = tally.matured == 0 ? "" : FigureText.range(interval, .percent)
    }
}

/// What a test has shown, and what the reader can do about it.
struct VerdictView: TemplateView {
    let tone: String
    let badge: String
    /// How long it is likely to take until there is a verdict, in words.
    let needed: String
    let sentence: String
    /// Why the test is likely to end without a verdict; nil if it is not.
    let outlook: String?
    let caution: String?
    /// The link to the page that gives the winner to all customers. If the control has won, it leads to the page that ends the
    /// campaign.
    ///
    /// It is nil if there is no winner, or if the reader may not take that step.
    let winner: LinkView?
    /// The CSS classes of the link: the page urges the reader only if nothing speaks against it.
    let winnerClass: String

    init(_ report: ExperimentReport, of campaign: ManagedCampaign, _ visit: CampaignVisit) {
        let verdict = report.results.verdict
        (tone, badge) =
            switch verdict.code {
            case .winner where verdict.moneyDisagrees: ("warn", "Conversion and money disagree")
            case .winner: ("good", "Winner: \(report.winner?.label ?? "")")
            case .noDifference: ("idle", "No difference worth knowing")
            case .noVerdictYet, .tooLittleData: ("info", "Cannot say yet")
            case .sampleRatioMismatch: ("bad", "No verdict: the split is off")
            }
        outlook = report.outlook.map { OutlookWords.text($0, visit.time) }
        needed = report.daysNeeded.map { "about \(ConsoleTime.count($0, "more day"))" } ?? ""
        sentence = verdict.sentence
        caution = verdict.caution
        winner = report.winner.flatMap { Self.link(to: $0, of: campaign, visit) }
        winnerClass = verdict.moneyDisagrees ? "btn" : "btn primary"
    }

    private static func link(to winner: CampaignVariant, of campaign: ManagedCampaign, _ visit: CampaignVisit) -> LinkView? {
        if winner.isControl {
            guard visit.may(.campaignRuns), campaign.state != .ended else { return nil }
            return LinkView(href: visit.path(campaign.name.id, "end"), label: "End the campaign …")
        }
        guard visit.may(.campaignDrafts) else { return nil }
        return LinkView(href: visit.path(campaign.name.id, "winner"), label: "Give the winner to all …")
    }
}

/// A variant in the table of results.
struct VariantRow: TemplateView {
    /// The revenue in one currency.
    struct Revenue: TemplateView {
        let value: String
        let range: String
    }

    /// The CSS class of the variant's colour.
    let `class`: String
    let name: String
    let share: String
    let counts: CountsView
    let difference: String
    let differenceRange: String
    /// The chance that the variant is better than the control; a dash as long as the interval of the difference contains 0.
    let chance: String
    let revenue: [Revenue]

    /// - Parameter index: the variant's position in the experiment's plan.
    init(_ report: ExperimentReport, _ index: Int) {
        let line = report.results.variants[index]
        `class` = SplitBar.style(index)
        name = line.tally.label
        share = SplitBar.percent(report.revisions.variants[index].weight)
        counts = CountsView(report.tallies[index], line.conversion)
        difference = line.comparison.map { "\(FigureText.points($0.value)) points" } ?? "–"
        differenceRange = line.comparison.map { FigureText.range($0.interval, .points) } ?? ""
        chance =
            line.comparison.flatMap {
                $0.interval.isAboveZero || $0.interval.isBelowZero ? FigureText.chance($0.chanceToBeatControl) : nil
            } ?? "–"
        revenue = line.revenue.map {
            Revenue(
                value: "\(FigureText.money($0.value)) \($0.currency)",
                range: $0.interval.map { FigureText.range($0, .money) } ?? "")
        }
    }
}
