import EligibilityRules

/// The countries of a row: boxes to tick by region, and an input that takes names and codes.
struct CountriesView: TemplateView {
    private static let mostNames = 4

    /// One part of the world.
    struct Region: TemplateView {
        let name: String
        /// How many of its countries are ticked.
        let count: String
        let all: [FieldView.Choice]
    }

    let summary: String
    let isOpen: Bool
    /// The chosen codes in the order of the draft, one in each line.
    let order: String
    /// The codes that are of no country.
    let others: String
    let names: [String]
    let regions: [Region]

    /// Returns nil if the row is not about a list of countries.
    init?(_ test: TestFields) {
        guard let code = test.countryCode, test.comparator == .oneOf else { return nil }
        let chosen = test.value.split(separator: "\n").map(String.init)
        let others = test.others(chosen)
        let ticked = Country.all.filter { chosen.contains(code($0)) }
        summary = Self.summary(ticked, others: others)
        isOpen = chosen.isEmpty
        order = test.value
        self.others = TestFields.joined(others)
        names = Country.all.map(\.name)
        regions = Country.regions.map { region in
            let all = region.countries.map {
                FieldView.Choice(id: code($0), label: $0.name, isChosen: chosen.contains(code($0)))
            }
            return Region(name: region.name, count: "\(all.count(where: \.isChosen)) of \(all.count)", all: all)
        }
    }

    private static func summary(_ countries: [Country], others: [String]) -> String {
        let union = countries.count(where: \.isOfEuropeanUnion) == Country.europeanUnion.count
        let names = (union ? ["European Union"] : []) + countries.filter { !union || !$0.isOfEuropeanUnion }.map(\.name) + others
        guard !names.isEmpty else { return "Choose …" }
        let rest = names.count - mostNames
        return names.prefix(mostNames).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
