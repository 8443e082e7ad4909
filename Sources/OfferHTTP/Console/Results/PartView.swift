import EligibilityRules

/// The results of one segment of the customers, such as a storefront.
///
/// They are shown beside the results of all customers. They are a hint, and never a verdict.
struct PartView: TemplateView {
    /// A variant in the segment.
    struct Row: TemplateView {
        /// The CSS class of the variant's colour.
        let `class`: String
        let name: String
        let exposed: String
        let matured: String
        let converted: String
        let rate: String
        let rateRange: String
        let difference: String
        let differenceRange: String
    }

    let name: String
    /// Whether the customers of this segment were not split among the variants as planned.
    let isOff: Bool
    let rows: [Row]
    /// The number of comparisons between a variant and the control in all segments together.
    ///
    /// Each interval is widened, because with so many comparisons one of them would otherwise often seem significant by chance.
    let count: String

    init(report: ExperimentReport, segment: SegmentResults) {
        let isHidden = segment.isSplitOff || report.results.sampleRatio.isOff
        let compared = report.revisions.plan.weights.dropFirst().count { $0 > 0 }
        name = segment.tally.name
        isOff = segment.isSplitOff
        rows = segment.tally.exposed.indices.map {
            Self.row($0, report.revisions.variants[$0].label, segment, isHidden ? nil : segment.comparisons[$0])
        }
        count = ConsoleTime.number(report.results.segments.count * compared)
    }

    private static func row(_ index: Int, _ name: String, _ segment: SegmentResults, _ comparison: SegmentComparison?) -> Row {
        let outcomes = segment.tally.outcomes[index]
        return Row(
            class: SplitBar.style(index), name: name, exposed: ConsoleTime.number(segment.tally.exposed[index]),
            matured: ConsoleTime.number(outcomes.units), converted: ConsoleTime.number(outcomes.converted),
            rate: outcomes.units == 0 ? "–" : ConsoleTime.share(outcomes.converted, of: outcomes.units),
            rateRange: outcomes.units == 0 ? "" : FigureText.range(segment.conversion[index], .percent),
            difference: comparison.map { "\(FigureText.points($0.value)) points" } ?? "–",
            differenceRange: comparison.map { FigureText.range($0.interval, .points) } ?? "")
    }
}
