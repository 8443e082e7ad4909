import EligibilityRules

/// One segment of the units beside the whole: a hint, never a verdict.
struct PartView: TemplateView {
    /// A variant in the segment.
    struct Row: TemplateView {
        /// The class of its colour.
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
    /// Whether its split is off.
    let isOff: Bool
    let rows: [Row]
    /// The number of such comparisons in the results. Each interval is widened for all of them.
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
