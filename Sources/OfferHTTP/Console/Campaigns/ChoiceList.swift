import EligibilityRules

/// The choices of a select element, or of one group in it.
struct ChoiceList: TemplateView {
    /// The name of the group; empty if the choices are in no group.
    let group: String
    let all: [FieldView.Choice]

    init(_ choices: [(id: String, label: String)], chosen: String, group: String = "") {
        self.group = group
        all = choices.map { FieldView.Choice(id: $0.id, label: $0.label, isChosen: $0.id == chosen) }
    }

    /// Returns what a condition can test, in groups: facts, attributes and segments.
    ///
    /// One choice is marked as chosen.
    ///
    /// - Parameter hasSegments: whether the app has stored segments.
    static func facts(chosen: String, hasSegments: Bool) -> [ChoiceList] {
        let facts = ConditionFact.allCases.map {
            (id: $0.rawValue, label: $0.words.prefix(1).uppercased() + $0.words.dropFirst())
        }
        let attribute = (id: TestFields.attribute, label: "Attribute …")
        var groups = [
            ChoiceList(facts, chosen: chosen, group: "From purchases, verified"),
            ChoiceList([attribute], chosen: chosen, group: "Sent by your app, not verified"),
        ]
        if hasSegments || chosen == TestFields.segment {
            groups.append(ChoiceList([(TestFields.segment, "Segment")], chosen: chosen, group: "Your segments"))
        }
        if !chosen.isEmpty, chosen != attribute.id, chosen != TestFields.segment, ConditionFact(rawValue: chosen) == nil {
            groups.append(ChoiceList([(chosen, chosen)], chosen: chosen, group: "Not known here"))
        }
        return groups
    }
}
