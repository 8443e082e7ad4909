import EligibilityRules

/// For each variant a small drawing of its difference from the control.
struct ForestPlot: TemplateView {
    /// The drawing for one variant.
    struct Row: TemplateView {
        /// The CSS class of the variant's colour.
        let `class`: String
        let name: String
        /// The drawing in words.
        let alt: String
        /// The position of the interval's lower end.
        let low: String
        let high: String
        let middle: String
        let value: String
        /// The unit of the value.
        let unit: String
        let range: String
        let newcombe: String
        let zTest: String
        let sequential: String
    }

    let rows: [Row]
    /// The label of the scale's left end.
    let left: String
    let right: String
    /// What is compared, in words.
    let subject: String
    /// Whether the tests of rates are shown. Nothing rests on them if the goal is revenue.
    let showsTests: Bool
    let isSequential: Bool

    /// Returns nil if no variant is compared with the control yet.
    init?(_ results: ExperimentResults, _ measure: ExperimentMeasure) {
        let compared = results.pairs.compactMap { pair in
            pair.base == 0 ? pair.difference(of: measure).map { (index: pair.other, difference: $0) } : nil
        }
        guard !compared.isEmpty else { return nil }
        let furthest = compared.flatMap { [abs($0.difference.interval.low), abs($0.difference.interval.high)] }.max() ?? 0
        // The scale reaches as far to both sides as the largest distance from zero, rounded up to whole percentage points or to
        // tenths of the currency's unit.
        let steps = measure == .conversion ? 100.0 : 10.0
        let reach = max(1 / steps, (furthest * steps).rounded(.up) / steps)
        let unit = FigureText.unit(of: measure)
        let end = measure == .conversion ? "\(Int((reach * 100).rounded()))" : FigureText.money(reach)
        rows = compared.map { Self.row(results.variants[$0.index], $0, measure, reach) }
        left = "−\(end)"
        right = "+\(end) \(unit)"
        showsTests = measure == .conversion
        isSequential = results.variants.contains { $0.comparison?.sequentialP != nil }
        subject =
            showsTests
            ? "More customers per 100 who reach the goal, compared with the control."
            : "What a customer pays more within the window, compared with the control."
    }

    private static func row(
        _ line: VariantResults, _ found: (index: Int, difference: PairDifference), _ measure: ExperimentMeasure, _ reach: Double
    ) -> Row {
        func place(_ value: Double) -> String {
            ConsoleTime.percent(Int(((value + reach) * 10_000).rounded()), of: Int((2 * reach * 10_000).rounded()))
        }
        let (difference, name) = (found.difference, line.tally.label)
        let (value, unit) = (FigureText.difference(difference.value, measure), FigureText.unit(of: measure))
        let range = FigureText.range(difference.interval, .difference(of: measure))
        return Row(
            class: SplitBar.style(found.index), name: name, alt: "\(name): \(value) \(unit), interval from \(range)",
            low: place(difference.interval.low), high: place(difference.interval.high), middle: place(difference.value),
            value: value, unit: unit, range: range,
            newcombe: line.comparison.map { FigureText.range($0.newcombe, .points) } ?? "–",
            zTest: line.comparison.map { FigureText.pValue($0.zTestP) } ?? "–",
            sequential: line.comparison?.sequentialP.map(FigureText.pValue) ?? "–")
    }
}
