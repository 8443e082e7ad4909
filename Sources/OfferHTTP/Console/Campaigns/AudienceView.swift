import EligibilityRules

/// The conditions of an audience as lines of the form. Lines open and close groups, so the template needs no recursion.
struct AudienceView {
    let form: ConditionNode
    let catalogue: Catalogue
    let errors: FormErrors
    /// The address that the form is sent to.
    let action: String

    /// The lines for the template.
    var lines: [[String: Any]] {
        var count = 0
        return lines(form, id: "c", lead: "Customers for whom", &count)
    }

    /// Returns facts and attributes, in groups, and marks the chosen one.
    static func facts(chosen: String) -> [[String: Any]] {
        let facts = ConditionFact.allCases.map { (id: $0.rawValue, label: label($0)) }
        var groups = [
            ("From purchases, verified", facts),
            ("Sent by your app, not verified", [(id: TestFields.attribute, label: "Attribute …")]),
        ]
        if !chosen.isEmpty, chosen != TestFields.attribute, ConditionFact(rawValue: chosen) == nil {
            groups.append(("Not known here", [(id: chosen, label: chosen)]))
        }
        return groups.map { label, facts in
            [
                "group": label,
                "facts": facts.map { ["id": $0.id, "label": $0.label, "isChosen": $0.id == chosen] as [String: Any] },
            ]
        }
    }

    private static func label(_ fact: ConditionFact) -> String { fact.words.prefix(1).uppercased() + fact.words.dropFirst() }

    private func lines(_ node: ConditionNode, id: String, lead: String, _ count: inout Int) -> [[String: Any]] {
        switch node {
        case .group(let kind, let parts):
            let name = id == "c" ? "the main conditions" : "group \(id.dropFirst(2))"
            let open: [String: Any] = [
                "id": id, "name": name, "lead": lead, "count": parts.count, "isRoot": id == "c",
                "kinds": kind.choices.map { ["id": $0.rawValue, "label": $0.label, "isChosen": $0 == kind] as [String: Any] },
                "error": FieldView.optional(errors["\(id).kind"]),
            ]
            var all = [line(open: open)]
            for (index, part) in parts.enumerated() { all += lines(part, id: "\(id).\(index)", lead: "and", &count) }
            let close: [String: Any] = [
                "id": id, "isRoot": id == "c", "facts": Self.facts(chosen: "subscription.state"),
                "next": "\(action)#\(id).\(parts.count).fact", "nextGroup": "\(action)#\(id).\(parts.count).0.fact", "name": name,
            ]
            return all + [line(close: close)]
        case .test(let test):
            count += 1
            return [
                line(
                    row: TestView(test: test, id: id, number: count, catalogue: catalogue, errors: errors)
                        .values(removal: "\(action)#\(holder(id))"))
            ]
        case .raw(let text):
            count += 1
            return [
                line(raw: [
                    "id": id, "number": count, "text": text, "error": FieldView.optional(errors["\(id).raw"]),
                    "removal": "\(action)#\(holder(id))",
                ])
            ]
        }
    }

    private func holder(_ id: String) -> String { id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id }

    private func line(
        open: [String: Any]? = nil,
        close: [String: Any]? = nil,
        row: [String: Any]? = nil,
        raw: [String: Any]? = nil
    ) -> [String: Any] {
        ["open": open ?? false, "close": close ?? false, "row": row ?? false, "raw": raw ?? false]
    }
}
