import EligibilityRules

// The inputs that a row can have. Which of them it has depends on what the row compares.
extension TestView {
    /// The subscription group that the condition is about.
    struct Groups: TemplateView {
        /// The only possible group; nil if there is a choice.
        let only: String?
        let choices: ChoiceList?

        /// Returns nil if the condition is about no group.
        init?(_ test: TestFields, _ catalogue: Catalogue) {
            guard let fact = ConditionFact(rawValue: test.fact), fact.takesGroup else { return nil }
            let known = Set(catalogue.sorted.map(\.groupID)).sorted()
            // If the app has a single group, there is nothing to choose.
            let isOnly = known == [test.group] && fact.needsGroup
            only = isOnly ? test.group : nil
            var all = known.map { (id: $0, label: "group \($0)") }
            if !fact.needsGroup || test.group.isEmpty { all.insert(("", "any group"), at: 0) }
            if !all.contains(where: { $0.id == test.group }) { all.append((test.group, "group \(test.group)")) }
            choices = isOnly ? nil : ChoiceList(all, chosen: test.group)
        }
    }

    /// An input for a single value.
    struct Input: TemplateView {
        let value: String
        let isNumber: Bool
        /// The kind of keyboard that a phone shows.
        let mode: String
        let unit: String
        let placeholder: String

        init(_ test: TestFields) {
            let isTime = test.comparator == .before || test.comparator == .after
            value = test.value
            isNumber = test.kind == .number
            mode = test.mode
            unit = test.unit
            placeholder = isTime ? "2026-03-01, or -P30D for 30 days ago" : ""
        }
    }

    /// The inputs for the smallest and the largest value.
    struct Range: TemplateView {
        let start: String
        let end: String
        let mode: String
        let unit: String

        init(_ test: TestFields) {
            start = test.value
            end = test.end
            mode = test.mode
            unit = test.unit
        }
    }

    /// A list of values to tick.
    struct Picks: TemplateView {
        let summary: String
        let isOpen: Bool
        let all: [FieldView.Choice]

        init(_ test: TestFields, _ known: [(id: String, label: String)]) {
            let chosen = test.value.split(separator: "\n").map(String.init)
            let choices = known + chosen.filter { value in !known.contains { $0.id == value } }.map { ($0, $0) }
            let names = choices.filter { chosen.contains($0.id) }.map(\.label)
            summary = names.isEmpty ? "Choose …" : names.joined(separator: ", ")
            isOpen = names.isEmpty
            all = choices.map { FieldView.Choice(id: $0.id, label: $0.label, isChosen: chosen.contains($0.id)) }
        }
    }

    /// An input for several values, each in a line of its own.
    struct Lines: TemplateView {
        let value: String
        let placeholder: String

        init(_ test: TestFields) {
            value = test.value
            placeholder = test.fact == ConditionFact.subscriptionStorefront.rawValue ? "USA" : ""
        }
    }
}
