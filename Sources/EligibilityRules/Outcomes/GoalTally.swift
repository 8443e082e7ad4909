/// The outcomes of units whose window is over, added up for the verdict.
struct GoalTally {
    private(set) var matured = 0
    private(set) var converted = 0
    /// What the units paid, in thousandths of the goal's currency; 0 unless the goal is revenue.
    private var paid: Int64 = 0
    private var squares: Int128 = 0

    /// Adds a unit whose window is over.
    mutating func add(isConverted: Bool, paid amount: Int64) {
        matured += 1
        if isConverted { converted += 1 }
        paid &+= amount
        squares &+= Int128(amount) * Int128(amount)
    }

    /// Adds the units of another tally.
    mutating func add(_ other: GoalTally) {
        matured += other.matured
        converted += other.converted
        paid &+= other.paid
        squares &+= other.squares
    }

    /// How many of the units reached the goal.
    var conversions: Conversions { Conversions(converted, of: matured)! }

    /// What the units paid.
    func revenue(in currency: String) -> RevenueSum? {
        RevenueSum(currency: currency, units: matured, sum: paid, sumOfSquares: squares)
    }
}

/// How a goal counts what a unit has paid.
struct RevenueGoal {
    /// The currency in which payments are added up.
    let currency: String
    // The most that one unit counts without a cap, in thousandths of the currency's unit. A wrong rate could otherwise give a number
    // that no integer holds.
    private static let most = 1e15

    /// The most that one unit counts, in thousandths of the currency's unit.
    private let cap: Double
    private let table: CurrencyTable?

    /// Returns nil for a goal that is not revenue.
    ///
    /// - Parameter table: the rates at which other currencies are converted; nil if there are none.
    init?(_ goal: CampaignGoal, _ table: CurrencyTable?) {
        guard case .revenue(let currency) = goal.measure else { return nil }
        self.currency = currency
        cap = min(goal.cap.map { ($0 * 1000).rounded() } ?? Self.most, Self.most)
        self.table = table
    }

    /// Returns what a unit has paid, and in which currencies it paid something that cannot be converted and is not counted.
    func amount(of paid: UnitOutcome.Paid) -> (thousandths: Int64, withoutRate: [String]) {
        var (sum, withoutRate) = (0.0, [String]())
        for payment in paid.payments where payment.amount != 0 {
            guard let factor = factor(payment.currency) else {
                withoutRate.append(payment.currency)
                continue
            }
            sum += (Double(payment.amount) * factor).rounded()
        }
        return (Int64(max(-Self.most, min(sum, cap))), withoutRate)
    }

    private func factor(_ other: String) -> Double? {
        if other == currency { return 1 }
        guard let table, let rate = table.rate(of: other), let own = table.rate(of: currency) else { return nil }
        return rate.value / own.value
    }
}

extension CampaignGoal {
    /// What the verdict about the goal rests on.
    var measure: ExperimentMeasure {
        metric == .revenue ? currency.map { .revenue(currency: $0) } ?? .conversion : .conversion
    }
}
