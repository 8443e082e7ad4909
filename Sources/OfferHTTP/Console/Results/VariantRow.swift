import EligibilityRules

/// A variant in the table of results.
struct VariantRow: TemplateView {
    /// The revenue in one currency.
    struct Revenue: TemplateView {
        let value: String
        let range: String
    }

    /// The class of its colour.
    let `class`: String
    let name: String
    let share: String
    let counts: CountsView
    let difference: String
    let differenceRange: String
    /// The chance to beat the control, once it is certain that there is a difference.
    let chance: String
    let revenue: [Revenue]

    /// Creates the row of a variant.
    ///
    /// - Parameter index: its place in the plan.
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
