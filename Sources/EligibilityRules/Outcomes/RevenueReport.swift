/// What the units of an experiment paid after their first exposure, minus refunds, by time. No verdict rests on it.
public struct RevenueReport: Sendable {
    /// The revenue of a variant in one currency.
    public struct Figure: Sendable {
        /// ISO 4217.
        public let currency: String
        /// What its units paid together.
        public let total: RevenueTotal
        /// The mean, with Student's 95 % interval; nil without units.
        public let perExposed: RevenueEstimate?
        /// The difference of the means to the control, with Welch's 95 % interval for one look.
        /// Nil for the control, with too few units, and where the split is off.
        public let difference: RevenueEstimate?
    }

    /// A variant, or the holdout.
    public struct Line: Sendable {
        /// All of its units.
        public let exposed: Int
        /// Those whose time is over. Only these are in the figures.
        public let over: Int
        /// Of these, units that bought something of unknown price.
        public let unknownPrices: Int
        /// By the currency that they paid in.
        public let paid: [Figure]
        /// All currencies that have a rate, in the chosen one; nil without a table of rates.
        public let converted: Figure?
    }

    /// A time after the first exposure.
    public struct Span: Sendable {
        /// Nil for the goal's window.
        public let days: Int?
        /// By variant, the control first.
        public let variants: [Line]
        /// The holdout, which is not compared.
        public let holdout: Line
    }

    /// The rates; nil: each currency stays by itself.
    public let table: CurrencyTable?
    /// The goal's window first, then `UnitOutcome.laterDays`.
    public let spans: [Span]
    /// The currencies that were paid in and have no rate, in order. They are in no converted figure.
    public let withoutRate: [String]
}

extension RevenueReport {
    /// - Parameter compared: the indices of the variants that are compared with the first one; none where the split is off.
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

/// A sum of money without rounding.
public struct RevenueTotal: Hashable, Sendable {
    private let units: Int128
    private let places: Int

    /// - Parameter units: of the last of these decimals of the currency's unit.
    init(units: Int128, places: Int) {
        self.units = units
        self.places = places
    }

    /// All digits, as in `1234.5`.
    public var text: String { ExactDecimal.text(units, places: places) }

    /// The nearest number, in the currency's unit.
    public var value: Double { Double(units) / Double(ExactDecimal.power(places)) }
}
