import EligibilityRules

/// Writes amounts of money in the console's form.
enum MoneyWords {
    /// Returns `1,234.50 USD`.
    static func text(_ money: Money) -> String { "\(number(money))\u{a0}\(money.currency)" }

    /// Returns `1,235 USD`, rounded to whole units by the rule.
    static func whole(_ money: Money, _ rule: FloatingPointRoundingRule) -> String {
        "\(ConsoleTime.number(Int((Double(money.amount) / 1000).rounded(rule))))\u{a0}\(money.currency)"
    }

    /// Returns `1,234.50`.
    static func number(_ money: Money) -> String {
        let parts = money.number.split(separator: ".")
        let decimals = parts.count == 2 ? ".\(parts[1])" : ""
        return (Int(parts[0]).map(ConsoleTime.number) ?? "") + decimals
    }
}
