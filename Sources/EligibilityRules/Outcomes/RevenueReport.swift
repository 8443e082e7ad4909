/// What the units of an experiment paid within several times after their first exposure, minus refunds.
///
/// No verdict rests on it.
public struct RevenueReport: Sendable {
    /// The revenue of a variant in one currency.
    public struct Figure: Sendable {
        /// The currency's code (ISO 4217).
        public let currency: String
        /// What the units paid together.
        public let total: RevenueTotal
        /// The mean per unit, with Student's 95 % interval; nil without units.
        public let perExposed: RevenueEstimate?
        /// The mean per unit minus the control's, with Welch's 95 % interval, which is valid if it is read once.
        ///
        /// Nil for the control and the holdout, if there are too few units, and if the units are not split as planned.
        public let difference: RevenueEstimate?
    }

    /// The revenue of one variant, or of the holdout.
    public struct Line: Sendable {
        /// How many units were exposed.
        public let exposed: Int
        /// For how many units the time is over.
        ///
        /// Only these are in the figures.
        public let over: Int
        /// How many of the units in the figures bought something whose price is not known.
        public let unknownPrices: Int
        /// The figures in each currency in which units of the experiment paid.
        public let paid: [Figure]
        /// The figures over all currencies that have a rate, converted into the table's currency; nil without a table of rates.
        public let converted: Figure?
    }

    /// The revenue within one time after the first exposure.
    public struct Span: Sendable {
        /// The number of days; nil for the goal's window.
        public let days: Int?
        /// The revenue of each variant, the control first.
        public let variants: [Line]
        /// The revenue of the holdout, which is not compared with the control.
        public let holdout: Line
    }

    /// The rates at which revenue was converted; nil if currencies are only shown one by one.
    public let table: CurrencyTable?
    /// The revenue within the goal's window first, then within each of `UnitOutcome.laterDays`.
    public let spans: [Span]
    /// The currencies in which units paid and that have no rate, in order.
    ///
    /// They are in no converted figure.
    public let withoutRate: [String]
}

extension RevenueReport {
    /// Computes the figures from the counts.
    ///
    /// - Parameter compared: the indices of the variants that are compared with the first one; empty if the units are not split
    ///   as planned.
    init(_ variants: [OutcomeTally], holdout: OutcomeTally, compared: Set<Int>, table: CurrencyTable?) {
        let ways: [(days: Int?, tally: (OutcomeTally) -> RevenueTally)] =
            [(nil, { $0.window })]
            + UnitOutcome.laterDays.indices.map { index in (UnitOutcome.laterDays[index], { $0.later[index] }) }
        self.table = table
        spans = ways.map { days, tally in
            let (tallies, apart) = (variants.map(tally), tally(holdout))
            let currencies = Set((tallies + [apart]).flatMap { Array($0.currencies) }).sorted(by: TextOrder.precedes)
            let line = { (outcomes: OutcomeTally, own: RevenueTally, control: RevenueTally?) in
                Line(exposed: outcomes.exposed, own, control, currencies, table)
            }
            return Span(
                days: days,
                variants: variants.indices.map { line(variants[$0], tallies[$0], compared.contains($0) ? tallies[0] : nil) },
                holdout: line(holdout, apart, nil))
        }
        let paid = Set(spans.flatMap { $0.holdout.paid.map(\.currency) })
        withoutRate = table.map { table in paid.filter { table.rate(of: $0) == nil }.sorted(by: TextOrder.precedes) } ?? []
    }
}

extension RevenueReport.Line {
    fileprivate init(
        exposed: Int,
        _ tally: RevenueTally,
        _ control: RevenueTally?,
        _ currencies: [String],
        _ table: CurrencyTable?
    ) {
        let base = control.flatMap { min($0.units, tally.units) < ExperimentPlan.minimumUnits ? nil : $0 }
        self.exposed = exposed
        over = tally.units
        unknownPrices = tally.unknownPrices
        paid = currencies.compactMap { currency in
            tally.sum(currency).map { sum in
                RevenueReport.Figure(
                    currency, RevenueTotal(units: Int128(sum.sum), places: 3), sum.moments, base?.sum(currency)?.moments)
            }
        }
        converted = table.map { table in
            let (total, moments) = tally.converted(by: table)
            return RevenueReport.Figure(table.currency, total, moments, base?.converted(by: table).moments)
        }
    }
}

extension RevenueReport.Figure {
    fileprivate init(_ currency: String, _ total: RevenueTotal, _ moments: RevenueMoments?, _ control: RevenueMoments?) {
        self.currency = currency
        self.total = total
        perExposed = moments.map { RevenueEstimate($0) }
        difference = control.flatMap { base in moments.flatMap { RevenueEstimate(control: base, treatment: $0) } }
    }
}

/// A sum of money that is not rounded.
public struct RevenueTotal: Hashable, Sendable {
    private let units: Int128
    private let places: Int

    /// Creates a sum.
    ///
    /// - Parameters:
    ///   - units: the sum in units of its last decimal: 1500 with three decimals is 1.5.
    ///   - places: the number of decimals.
    init(units: Int128, places: Int) {
        self.units = units
        self.places = places
    }

    /// The sum in decimal with all digits, as in `1234.5`.
    public var text: String { ExactDecimal.text(units, places: places) }

    /// The sum as the nearest floating-point number, in the currency's unit.
    public var value: Double { Double(units) / Double(ExactDecimal.power(places)) }
}
