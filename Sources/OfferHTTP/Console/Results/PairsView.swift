import EligibilityRules

/// The table that compares every variant with every other, by conversion and by money.
struct PairsView: TemplateView {
    /// Two variants.
    struct Row: TemplateView {
        let name: String
        let base: String
        let points: String
        let pointsRange: String
        let money: String
        let moneyRange: String
    }

    let rows: [Row]
    /// What the intervals of the rates are for, and those of money.
    let rates: String
    let money: String
    let note: String

    /// Returns nil if nothing is compared.
    init?(_ results: ExperimentResults, _ measure: ExperimentMeasure) {
        let names = results.variants.map(\.tally.label)
        rows = results.pairs.filter { $0.rate != nil }.map { Row($0, names, results.currency) }
        guard !rows.isEmpty else { return nil }
        let beside = "95\u{a0}% interval"
        (rates, money) = measure == .conversion ? ("interval of the verdict", beside) : (beside, "interval of the verdict")
        let missing =
            results.currency == nil
            ? " Money is not compared, because it is not known in one currency. Security can set rates in the configuration." : ""
        note =
            "The first variant of a row, compared with the second: how many more of 100 customers reach the goal, and how much more a customer pays within the window. If a range leaves out 0, the difference is shown; of two variants with an offer, only if the better one is also better than the control. The ranges of money hold for any number of looks.\(missing)"
    }
}

extension PairsView.Row {
    fileprivate init(_ pair: VariantPair, _ names: [String], _ currency: String?) {
        (name, base) = (names[pair.other], names[pair.base])
        points = pair.rate.map { FigureText.points($0.value) } ?? "–"
        pointsRange = pair.rate.map { FigureText.range($0.interval, .points) } ?? ""
        money =
            pair.revenue.map { "\(FigureText.difference($0.value, .revenue(currency: "")))\u{a0}\(currency ?? "")" } ?? "–"
        moneyRange = pair.revenue.map { FigureText.range($0.interval, .money) } ?? ""
    }
}
