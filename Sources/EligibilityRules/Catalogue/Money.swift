/// An amount of money in one currency.
public struct Money: Hashable, Sendable {
    /// The amount in thousandths of the currency's unit: 9990 is 9.99.
    public let amount: Int64
    /// The currency's code (ISO 4217).
    public let currency: String

    /// Stores the given values without checking them.
    public init(amount: Int64, currency: String) {
        self.amount = amount
        self.currency = currency
    }

    /// Reads a price and a currency; nil for anything else.
    ///
    /// The price is a decimal number with at most three decimals that are not 0, and the currency is three capital letters.
    public init?(price: String, currency: String) {
        guard Self.isCode(currency), let number = ExactDecimal(price), let amount = number.units(places: 3),
            amount < 1_000_000_000_000_000
        else { return nil }
        self.init(amount: Int64(amount), currency: currency)
    }

    /// Reads `9.99 USD`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(price: String(parts[0]), currency: String(parts[1]))
    }

    /// The amount in decimal, with no decimals if it is whole, otherwise with two, or with three if two are not exact.
    public var number: String {
        let (whole, rest) = amount.magnitude.quotientAndRemainder(dividingBy: 1000)
        let sign = amount < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        let decimals = "\(1000 + rest)".dropFirst()
        return "\(sign)\(whole).\(decimals.hasSuffix("0") ? decimals.dropLast() : decimals)"
    }

    /// The amount and the currency in the form `9.99 USD`.
    public var text: String { "\(number) \(currency)" }

    /// Whether a text is three capital letters, as the codes of currencies and storefronts are.
    public static func isCode(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
}
