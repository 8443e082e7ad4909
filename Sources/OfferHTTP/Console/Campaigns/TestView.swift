import EligibilityRules

/// One condition as a row of the form.
struct TestView: TemplateView {
    let id: String
    /// The same id, for places where a choice has an id of its own.
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
    /// The ways to read the value of an attribute.
    let types: ChoiceList?
    let isInvalid: Bool
    let error: String?
    /// The address that the removal button leads to.
    let removal: String
    /// The address of the row, for buttons that change its value.
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
