import EligibilityRules

extension CurrencyTable {
    /// Reads `currencies`; nil if nothing is set there.
    init?(_ tree: ConfigurationTree, _ problems: inout [String]) {
        var rates: [String: CurrencyRate] = [:]
        if case .map(let map)? = tree.root["currencies"]?["rates"] {
            rates = map.compactMapValues { $0.scalar.flatMap(CurrencyRate.init) }
        }
        let asOf = tree.text("currencies.asOf")
        if let asOf, asOf.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) == nil {
            problems.append("currencies.asOf: must be a day such as 2026-11-01")
        }
        guard let currency = tree.text("currencies.in") else {
            if !rates.isEmpty || asOf != nil { problems.append("currencies.in: is missing: the currency that the rates lead to") }
            return nil
        }
        if !Money.isCode(currency) { problems.append("currencies.in: must be a currency as three capital letters, such as USD") }
        if rates[currency] != nil { problems.append("currencies.rates: \(currency) is currencies.in itself and needs no rate") }
        self.init(in: currency, rates: rates, asOf: asOf)
    }
}
