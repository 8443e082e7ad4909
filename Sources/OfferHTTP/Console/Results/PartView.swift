import EligibilityRules

/// One segment of the units beside the whole: a hint, never a verdict.
struct PartView {
    let report: ExperimentReport
    let segment: SegmentResults

    /// The number of such comparisons in the results. Each interval is widened for all of them.
    private var comparisons: Int { report.results.segments.count * report.revisions.plan.weights.dropFirst().count { $0 > 0 } }

    /// The values for the template.
    var values: [String: Any] {
        let isOff = segment.isSplitOff || report.results.sampleRatio.isOff
        return [
            "name": segment.tally.value, "isOff": segment.isSplitOff,
            "rows": segment.tally.exposed.indices.map { row($0, isOff) },
            "count": ConsoleTime.number(comparisons),
        ]
    }

    private func row(_ index: Int, _ isOff: Bool) -> [String: Any] {
        let (tally, outcomes) = (segment.tally, segment.tally.outcomes[index])
        let comparison = isOff ? nil : segment.comparisons[index]
        return [
            "class": SplitBar.style(index), "name": report.revisions.variants[index].id,
            "exposed": ConsoleTime.number(tally.exposed[index]), "matured": ConsoleTime.number(outcomes.units),
            "converted": ConsoleTime.number(outcomes.converted),
            "rate": outcomes.units == 0 ? "–" : ConsoleTime.share(outcomes.converted, of: outcomes.units),
            "rateRange": outcomes.units == 0 ? "" : FigureText.range(segment.conversion[index], .percent),
            "difference": comparison.map { "\(FigureText.points($0.value)) points" } ?? "–",
            "differenceRange": comparison.map { FigureText.range($0.interval, .points) } ?? "",
        ]
    }
}
