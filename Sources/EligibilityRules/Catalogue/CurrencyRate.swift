/// What one unit of a currency is worth in another one, exactly as written.
public struct CurrencyRate: Hashable, Sendable {
    /// The decimals that every rate is brought to, so that converted amounts can be added.
    static let places = 12
    private static let most = ExactDecimal.power(6 + places)

    /// In units of the last of these decimals.
    let units: Int128

    /// Reads a decimal number above 0 and below a million, with at most 12 decimals; nil for anything else.
    public init?(_ text: String) {
        guard let units = ExactDecimal(text)?.units(places: Self.places), units > 0, units < Self.most else { return nil }
        self.units = units
    }

    private init(units: Int128) { self.units = units }

    /// The nearest number.
    var value: Double { Double(units) / Double(ExactDecimal.power(Self.places)) }

    /// The rate of a currency to itself.
    static let one = CurrencyRate(units: ExactDecimal.power(places))
}
