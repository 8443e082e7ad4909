import EligibilityRules

/// One condition as a row of the form.
struct TestView: TemplateView {
    let id: String
    /// The same id under another name.
    ///
    /// The template needs the second name inside the list of choices, because there `id` is the id of a choice.
    let rowID: String
    let number: Int
    let fact: String
    let facts: [ChoiceList]
    let isAttribute: Bool
    /// The name of the attribute.
    let name: String
    let groups: Groups?
    let comparisons: [FieldView.Choice]
    let input: Input?
    let range: Range?
    let choice: ChoiceList?
    let picks: Picks?
    let text: Lines?
    let countries: CountriesView?
    /// The choice of an attribute's type; nil if the row does not test an attribute.
    let types: ChoiceList?
    let isInvalid: Bool
    let error: String?
    /// The address of the place on the page to which the button that removes the row leads.
    let removal: String
    /// The address of the row on the page, to which buttons that change its value lead.
    let here: String

    init(
        test: TestFields,
        id: String,
        number: Int,
        catalogue: Catalogue,
        segments: [Segment],
        errors: FormErrors,
        removal: String
    ) {
        let known = test.values(in: catalogue, segments)
        let isList = test.comparator == .oneOf
        let isRange = test.comparator == .between
        let isSingle = !isList && !isRange && test.comparator != .exists
        self.id = id
        rowID = id
        self.number = number
        fact = test.fact
        facts = ChoiceList.facts(chosen: test.fact, hasSegments: !segments.isEmpty)
        isAttribute = test.isAttribute
        name = test.name
        groups = Groups(test, catalogue)
        comparisons = ChoiceList(test.comparisons, chosen: test.comparison).all
        input = isSingle && known.isEmpty && !test.isSegment ? Input(test) : nil
        range = isRange ? Range(test) : nil
        choice = isSingle && (!known.isEmpty || test.isSegment) ? Self.choice(test, known) : nil
        picks = isList && !known.isEmpty ? Picks(test, known) : nil
        countries = CountriesView(test)
        text = isList && known.isEmpty && countries == nil ? Lines(test) : nil
        types = test.isAttribute && (test.comparator == .is || isList) ? Self.types(test) : nil
        error =
            ["fact", "name", "group", "value", "end"].map { errors["\(id).\($0)"] }.filter { !$0.isEmpty }
            .joined(separator: " ").nonEmpty
        isInvalid = error != nil
        self.removal = removal
        here = "\(removal.prefix { $0 != "#" })#\(id)"
    }

    private static func choice(_ test: TestFields, _ known: [(id: String, label: String)]) -> ChoiceList {
        var choices = [(id: "", label: "Choose …")] + known
        if !choices.contains(where: { $0.id == test.value }) { choices.append((test.value, test.value)) }
        return ChoiceList(choices, chosen: test.value)
    }

    private static func types(_ test: TestFields) -> ChoiceList {
        ChoiceList([("text", "as text"), ("number", "as number"), ("boolean", "as yes or no")], chosen: test.type)
    }
}

/// The countries of a row: boxes to tick by region, and an input that takes names and codes.
struct CountriesView: TemplateView {
    private static let mostNames = 4

    /// One part of the world.
    struct Region: TemplateView {
        let name: String
        /// How many of the region's countries are ticked, in words.
        let count: String
        let all: [FieldView.Choice]
    }

    let summary: String
    let isOpen: Bool
    /// The codes that the draft has, in its order, one in each line.
    let order: String
    /// The values that are not the code of a country.
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
