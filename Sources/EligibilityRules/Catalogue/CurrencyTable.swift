/// The rates at which an operator adds up revenue in one currency.
public struct CurrencyTable: Hashable, Sendable {
    /// The currency in which amounts are added up (ISO 4217).
    public let currency: String
    /// The day of the rates, such as `2026-11-01`; nil if none is given.
    public let asOf: String?
    private let rates: [String: CurrencyRate]

    /// Adds the rate of the currency to itself.
    ///
    /// - Parameter rates: by currency, what one unit of it is worth in `currency`.
    public init(in currency: String, rates: [String: CurrencyRate], asOf: String? = nil) {
        self.currency = currency
        self.rates = rates.merging([currency: .one]) { $1 }
        self.asOf = asOf
    }

    /// Returns the rate of a currency; nil if there is none.
    public func rate(of currency: String) -> CurrencyRate? { rates[currency] }
}

/// What one unit of a currency is worth in another one, exactly as written.
public struct CurrencyRate: Hashable, Sendable {
    /// The number of decimals with which every rate is stored, so that converted amounts can be added.
    static let places = 12
    private static let most = ExactDecimal.power(6 + places)

    /// The rate in units of 10⁻¹².
    let units: Int128

    /// Reads a decimal number above 0 and below a million, with at most 12 decimals; nil for anything else.
    public init?(_ text: String) {
        guard let units = ExactDecimal(text)?.units(places: Self.places), units > 0, units < Self.most else { return nil }
        self.units = units
    }

    private init(units: Int128) { self.units = units }

    /// The rate as the nearest floating-point number.
    var value: Double { Double(units) / Double(ExactDecimal.power(Self.places)) }

    /// The rate of a currency to itself.
    static let one = CurrencyRate(units: ExactDecimal.power(places))
}
