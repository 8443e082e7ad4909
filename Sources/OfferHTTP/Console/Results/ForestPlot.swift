import EligibilityRules

/// The distance of each variant from the control, as a small drawing for each.
struct ForestPlot {
    /// The place, the name and the difference of each compared variant.
    let rows: [(index: Int, name: String, comparison: VariantComparison)]

    init(_ variants: [VariantResults]) {
        rows = variants.enumerated().compactMap { index, line in line.comparison.map { (index, line.tally.id, $0) } }
    }

    /// The largest distance from zero, in whole points.
    private var reach: Double {
        let furthest = rows.flatMap { [abs($0.comparison.interval.low), abs($0.comparison.interval.high)] }.max() ?? 0
        return max(0.01, (furthest * 100).rounded(.up) / 100)
    }

    /// The values for the template.
    var values: [String: Any] {
        let points = Int((reach * 100).rounded())
        return [
            "rows": rows.map { index, name, comparison -> [String: Any] in
                let (value, range) = (
                    FigureText.points(comparison.value), FigureText.range(comparison.interval, .points)
                )
                return [
                    "class": SplitBar.style(index), "name": name, "value": value, "range": range,
                    "alt": "\(name): \(value) points, interval from \(range)", "low": place(comparison.interval.low),
                    "high": place(comparison.interval.high), "middle": place(comparison.value),
                    "newcombe": FigureText.range(comparison.newcombe, .points),
                    "zTest": FigureText.pValue(comparison.zTestP),
                    "sequential": comparison.sequentialP.map(FigureText.pValue) ?? "–",
                ]
            },
            "isSequential": rows.contains { $0.comparison.sequentialP != nil },
            "left": "−\(points)", "right": "+\(points) points",
        ]
    }

    private func place(_ value: Double) -> String {
        ConsoleTime.percent(Int(((value + reach) * 10_000).rounded()), of: Int((2 * reach * 10_000).rounded()))
    }
}
