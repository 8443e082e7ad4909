import EligibilityRules
import WireText

// Rows about countries. Storefronts have codes of three letters, and the attribute `country` has codes of two.
extension TestFields {
    /// Returns the code of a country that this row compares with; nil if the row is not about countries.
    var countryCode: ((Country) -> String)? {
        if isAttribute, name == "country", type == "text" { return { country in country.alpha2 } }
        return fact == ConditionFact.subscriptionStorefront.rawValue ? { country in country.alpha3 } : nil
    }

    /// Returns those values that are not the code of a country.
    func others(_ values: [String]) -> [String] {
        let known = Set(Country.all.map { countryCode?($0) })
        return values.filter { !known.contains($0) }
    }

    /// Returns the values that are not codes of a country as one text, as their input shows them.
    static func joined(_ others: [String]) -> String { others.joined(separator: ", ") }

    /// Replaces typed names of countries by their codes, and removes repeated ones.
    ///
    /// Values that the draft had before keep their spelling and their order.
    ///
    /// - Parameter order: the values of the draft, in its order.
    mutating func settleCountries(order: [String]) {
        guard let code = countryCode, comparator == .oneOf else { return }
        let others = others(order)
        // A value that the draft had before stays as it is. Conditions compare exactly, so changing `us` to `US` would change the
        // meaning.
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

    /// Adds the countries of a preset, or removes all countries.
    ///
    /// - Parameter preset: `eu` or the name of a region, whose countries are added; `none` removes all.
    mutating func chooseCountries(_ preset: String) {
        guard let code = countryCode else { return }
        let chosen = value.split(separator: "\n").map(String.init)
        let added =
            preset == "eu" ? Country.all.filter(\.isOfEuropeanUnion) : Country.regions.first { $0.name == preset }?.countries
        value = preset == "none" ? "" : (chosen + (added ?? []).map(code).filter { !chosen.contains($0) }).joined(separator: "\n")
    }
}
