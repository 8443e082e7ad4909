/// Puts into words what the variants earn, compared with one of them.
struct MoneyWording {
    /// A variant that is compared with another one.
    struct Rival {
        /// The position in the plan.
        let place: Int
        let name: String
        /// Whether the other one was shown to do better than the rival in what the verdict rests on.
        let isBeaten: Bool
        /// What a unit of the rival pays more; nil if not known.
        let gain: PairDifference?

        /// Whether the rival earns more so far, by a cent or more.
        var earnsMore: Bool { gain.map { $0.value >= 0.005 } ?? false }
    }

    let pairs: [VariantPair]
    /// What the units of each variant pay; empty if not known in one currency.
    let money: [RevenueMoments]
    let names: [String]
    /// What the verdict rests on.
    let measure: ExperimentMeasure

    /// All other variants, the control first.
    func rivals(of variant: Int) -> [Rival] {
        pairs.compactMap { $0.gain(over: variant) }.sorted { $0.rival < $1.rival }.map { gain in
            let decisive = measure == .conversion ? gain.rate : gain.revenue
            return Rival(
                place: gain.rival, name: names[gain.rival], isBeaten: decisive?.interval.isBelowZero ?? false, gain: gain.revenue)
        }
    }

    /// What a variant earns more or less than the control, as in `It was shown to earn 1.20 USD more per customer than control.`
    ///
    /// Nil for the control itself, and if nothing is known or both earn the same.
    func sentence(_ variant: Int, againstControl control: Rival) -> String? {
        guard variant != 0, let gain = control.gain?.negated, PlainNumber.money(gain.value.magnitude) != "0.00" else {
            return nil
        }
        let amount = "\(amount(gain)) \(gain.value > 0 ? "more" : "less") per customer than \(control.name)"
        if gain.interval.isAboveZero || gain.interval.isBelowZero { return "It was shown to earn \(amount)." }
        return "So far it earns \(amount), which is not shown."
    }

    /// `upfront`, or `upfront, which so far earns 4.12 USD more per customer`.
    func named(_ rival: Rival) -> String {
        guard rival.earnsMore, let gain = rival.gain else { return rival.name }
        let how = gain.interval.isAboveZero ? "which was shown to earn" : "which so far earns"
        return "\(rival.name), \(how) \(amount(gain)) more per customer"
    }

    /// The caution about a winner; nil if no other variant earns more, and if the verdict rests on revenue.
    func caution(_ variant: Int) -> String? {
        guard measure == .conversion else { return nil }
        let richer = rivals(of: variant).filter(\.earnsMore)
        guard !richer.isEmpty else { return nil }
        let earned = richer.map { rival in "\(rival.name) \(mean(rival.place))" }
        return "By money the order is another: per customer \(names[variant]) earns \(mean(variant)) \(currency) so far, but"
            + " \(PlainList.text(earned)). Decide which of the two matters before you give a variant to all."
    }

    /// The differences of revenue that are shown, largest first: `By money, upfront was shown to earn 4.12 USD more per customer than
    /// control.`
    ///
    /// Nil if none is shown, and if the verdict rests on revenue.
    var shown: String? {
        guard measure == .conversion else { return nil }
        let found = pairs.compactMap { pair -> (Double, String)? in
            guard let gain = pair.revenue, gain.interval.isAboveZero || gain.interval.isBelowZero else { return nil }
            let (more, less) = gain.value > 0 ? (pair.other, pair.base) : (pair.base, pair.other)
            return (
                gain.value.magnitude, "\(names[more]) was shown to earn \(amount(gain)) more per customer than \(names[less])"
            )
        }
        guard !found.isEmpty else { return nil }
        return "By money, " + PlainList.text(found.sorted { $0.0 > $1.0 }.map(\.1)) + "."
    }

    private var currency: String { money.first?.currency ?? "" }

    private func mean(_ variant: Int) -> String { PlainNumber.money(money[variant].mean) }

    private func amount(_ gain: PairDifference) -> String { "\(PlainNumber.money(gain.value.magnitude)) \(currency)" }
}

/// Writes lists as people read them.
enum PlainList {
    /// Returns `a`, `a and b`, or `a, b and c`.
    static func text(_ texts: [String], _ word: String = "and") -> String {
        guard let last = texts.last else { return "" }
        return texts.count == 1 ? last : texts.dropLast().joined(separator: ", ") + " \(word) " + last
    }
}
