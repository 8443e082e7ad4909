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
        let range: String
        let newcombe: String
        let zTest: String
        let sequential: String
    }

    let rows: [Row]
    /// The label of the scale's left end.
    let left: String
    let right: String
    let isSequential: Bool

    /// Returns nil if no variant is compared with the control yet.
    init?(_ variants: [VariantResults]) {
        let compared = variants.enumerated().compactMap { index, line in line.comparison.map { (index, line.tally.label, $0) } }
        guard !compared.isEmpty else { return nil }
        let furthest = compared.flatMap { [abs($0.2.interval.low), abs($0.2.interval.high)] }.max() ?? 0
        // The scale reaches as far to both sides as the largest distance from zero, rounded up to whole percentage points.
        let reach = max(0.01, (furthest * 100).rounded(.up) / 100)
        let points = Int((reach * 100).rounded())
        rows = compared.map { Self.row($0, $1, $2, reach) }
        left = "−\(points)"
        right = "+\(points) points"
        isSequential = compared.contains { $0.2.sequentialP != nil }
    }

    private static func row(_ index: Int, _ name: String, _ comparison: VariantComparison, _ reach: Double) -> Row {
        func place(_ value: Double) -> String {
            ConsoleTime.percent(Int(((value + reach) * 10_000).rounded()), of: Int((2 * reach * 10_000).rounded()))
        }
        let (value, range) = (FigureText.points(comparison.value), FigureText.range(comparison.interval, .points))
        return Row(
            class: SplitBar.style(index), name: name, alt: "\(name): \(value) points, interval from \(range)",
            low: place(comparison.interval.low), high: place(comparison.interval.high), middle: place(comparison.value),
            value: value, range: range, newcombe: FigureText.range(comparison.newcombe, .points),
            zTest: FigureText.pValue(comparison.zTestP), sequential: comparison.sequentialP.map(FigureText.pValue) ?? "–")
    }
}
