/// Puts into words what a verdict rests on: how often customers reach the goal, or what they pay.
struct MeasureWording {
    let measure: ExperimentMeasure
    let outcomes: [GoalOutcomes]

    /// `do better than` or `earn more than`.
    var better: String { isMoney ? "earn more than" : "do better than" }

    /// `half does better than control: 9.7 of 100 customers reached the goal, against 6.0.`
    func gains(_ variant: (place: Int, name: String), over other: (place: Int, name: String)) -> String {
        let verb = isMoney ? "earns more than" : "does better than"
        return "\(variant.name) \(verb) \(other.name): \(reached(variant.place)), against \(value(other.place))."
    }

    /// `9.7 of 100 customers reached the goal` or `6.03 USD per customer`.
    func reached(_ variant: Int) -> String {
        isMoney ? "\(value(variant)) \(unit)" : "\(value(variant)) of 100 customers reached the goal"
    }

    /// `9.7` or `6.03`.
    func value(_ variant: Int) -> String { amount(outcomes[variant].value(of: measure) ?? 0) }

    /// `2.0 customers of 100` or `0.20 USD per customer`.
    func size(_ difference: Double) -> String { "\(amount(difference)) \(unit)" }

    /// `9.7 of 100 reached the goal with half and 6.0 with control` or `half earns 1.91 USD per customer and control 2.03`.
    func soFar(_ variant: (place: Int, name: String), _ other: (place: Int, name: String)) -> String {
        isMoney
            ? "\(variant.name) earns \(reached(variant.place)) and \(other.name) \(value(other.place))"
            : "\(value(variant.place)) of 100 reached the goal with \(variant.name) and \(value(other.place)) with \(other.name)"
    }

    /// `3.1 and 8.2 customers of 100` or `3.10 and 4.90 USD per customer`, without signs.
    func magnitudes(_ interval: ConfidenceInterval) -> String {
        let ends = ends(interval)
        return "\(ends.low.magnitude) and \(ends.high.magnitude) \(unit)"
    }

    /// `0.4 fewer and 7.1 more customers of 100` or `0.40 less and 0.16 more USD per customer`.
    func range(_ interval: ConfidenceInterval) -> String {
        let (ends, less) = (ends(interval), isMoney ? "less" : "fewer")
        func signed(_ end: RoundedInterval.End) -> String { "\(end.magnitude) \(end.isNegative ? less : "more")" }
        return "\(signed(ends.low)) and \(signed(ends.high)) \(unit)"
    }

    private var isMoney: Bool { measure != .conversion }

    private var unit: String {
        switch measure {
        case .conversion: "customers of 100"
        case .revenue(let currency): "\(currency) per customer"
        }
    }

    private func amount(_ value: Double) -> String { isMoney ? PlainNumber.money(value) : PlainNumber.ofHundred(value) }

    private func ends(_ interval: ConfidenceInterval) -> RoundedInterval {
        isMoney ? RoundedInterval(interval, places: 2) : RoundedInterval(interval, times: 100)
    }
}
