import EligibilityRules
import WireText

// Rows about countries: storefronts have codes of three letters, the attribute `country` those of two.
extension TestFields {
    /// The code that the row compares with; nil if the row is not about countries.
    var countryCode: ((Country) -> String)? {
        if isAttribute, name == "country", type == "text" { return { country in country.alpha2 } }
        return fact == ConditionFact.subscriptionStorefront.rawValue ? { country in country.alpha3 } : nil
    }

    /// Takes the codes of names that were typed, each once, and keeps the order that the draft has.
    ///
    /// - Parameter order: the codes in the order of the draft.
    mutating func settleCountries(order: [String]) {
        guard let code = countryCode, comparator == .oneOf else { return }
        let country = { (text: String) in
            let wanted = text.trimmed.lowercased()
            return Country.all.first { wanted == code($0).lowercased() || wanted == $0.name.lowercased() }
        }
        let typed = value.split(separator: "\n").flatMap { line in
            let parts = line.split(separator: ",").map(String.init)
            return parts.contains { country($0) != nil } ? parts.map(\.trimmed).filter { !$0.isEmpty } : [String(line)]
        }
        var codes: [String] = []
        for text in typed {
            let settled = country(text).map(code) ?? text
            if !codes.contains(settled) { codes.append(settled) }
        }
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
