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
