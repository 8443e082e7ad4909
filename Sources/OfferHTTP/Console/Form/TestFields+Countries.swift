import EligibilityRules
import WireText

// Rows about countries: storefronts have codes of three letters, the attribute `country` those of two.
extension TestFields {
    /// The code that the row compares with; nil if the row is not about countries.
    var countryCode: ((Country) -> String)? {
        if isAttribute, name == "country", type == "text" { return { country in country.alpha2 } }
        return fact == ConditionFact.subscriptionStorefront.rawValue ? { country in country.alpha3 } : nil
    }

    /// Returns the values that are no country's code.
    func others(_ values: [String]) -> [String] {
        let known = Set(Country.all.map { countryCode?($0) })
        return values.filter { !known.contains($0) }
    }

    /// Returns codes of no country as the input shows them.
    static func joined(_ others: [String]) -> String { others.joined(separator: ", ") }

    /// Takes the codes of names that were typed, each once, and keeps the values and the order that the draft has.
    ///
    /// - Parameter order: the values of the draft.
    mutating func settleCountries(order: [String]) {
        guard let code = countryCode, comparator == .oneOf else { return }
        let others = others(order)
        // What the draft has stays as it is: a condition compares exactly, so `us` is not `US`.
        let settled = { (text: String) in
            let wanted = text.trimmed.lowercased()
            return order.contains(text)
                ? text : Country.all.first { wanted == code($0).lowercased() || wanted == $0.name.lowercased() }.map(code)
        }
        let typed = value.split(separator: "\n").map(String.init).flatMap { line in
            if line == Self.joined(others) { return others }
            let parts = line.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
            return parts.contains { settled($0) != nil } ? parts : [line]
        }
        var codes: [String] = []
        for text in typed.map({ settled($0) ?? $0 }) where !codes.contains(text) { codes.append(text) }
        value = (order.filter(codes.contains) + codes.filter { !order.contains($0) }).joined(separator: "\n")
    }

    /// Adds the countries of a preset, or removes all.
    ///
    /// - Parameter preset: `eu`, the name of a region, or `none`.
    mutating func chooseCountries(_ preset: String) {
        guard let code = countryCode else { return }
        let chosen = value.split(separator: "\n").map(String.init)
        let added =
            preset == "eu" ? Country.all.filter(\.isOfEuropeanUnion) : Country.regions.first { $0.name == preset }?.countries
        value = preset == "none" ? "" : (chosen + (added ?? []).map(code).filter { !chosen.contains($0) }).joined(separator: "\n")
    }
}
