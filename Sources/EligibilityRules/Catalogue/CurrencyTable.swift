/// The rates at which an operator adds up revenue in one currency.
public struct CurrencyTable: Hashable, Sendable {
    /// The currency in which amounts are added up (ISO 4217).
    public let currency: String
    /// The day of the rates, such as `2026-11-01`; nil if none is given.
    public let asOf: String?
    private let rates: [String: CurrencyRate]

    /// - Parameter rates: what one unit of each other currency is worth in that one.
    public init(in currency: String, rates: [String: CurrencyRate], asOf: String? = nil) {
        self.currency = currency
        self.rates = rates.merging([currency: .one]) { $1 }
        self.asOf = asOf
    }

    /// Returns the rate of a currency; nil if there is none.
    public func rate(of currency: String) -> CurrencyRate? { rates[currency] }
}
