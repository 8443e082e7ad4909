import EligibilityRules

/// One condition as a row of the form.
struct TestView {
    let test: TestFields
    let id: String
    let number: Int
    let catalogue: Catalogue
    let errors: FormErrors

    private var fact: ConditionFact? { ConditionFact(rawValue: test.fact) }
    private var isList: Bool { test.comparator == .oneOf }

    /// Returns the values for the template.
    ///
    /// - Parameter removal: the address that the removal button leads to.
    func values(removal: String) -> [String: Any] {
        let error = ["fact", "name", "group", "value", "end"].map { errors["\(id).\($0)"] }.filter { !$0.isEmpty }
        return [
            "id": id, "rowID": id, "number": number, "facts": AudienceView.facts(chosen: test.fact), "fact": test.fact,
            "isAttribute": test.isAttribute, "name": test.name, "groups": groups,
            "comparisons": test.comparisons.map {
                ["id": $0.id, "label": $0.label, "isChosen": $0.id == test.comparison] as [String: Any]
            },
            "types": types, "input": input, "range": range, "choice": choice, "picks": picks, "text": text,
            "nothing": test.comparator == .exists, "isInvalid": !error.isEmpty,
            "error": FieldView.optional(error.joined(separator: " ")), "removal": removal,
        ]
    }

    private var groups: Any {
        guard let fact, fact.takesGroup else { return false }
        let known = Set(catalogue.sorted.map(\.groupID)).sorted()
        // With a single group, there is nothing to choose.
        if known == [test.group], fact.needsGroup { return ["only": test.group, "choices": false] as [String: Any] }
        var choices = (fact.needsGroup && !test.group.isEmpty ? [] : [("", "any group")]) + known.map { ($0, "group \($0)") }
        if !choices.contains(where: { $0.0 == test.group }) { choices.append((test.group, "group \(test.group)")) }
        return [
            "only": false,
            "choices": ["all": choices.map { ["id": $0.0, "label": $0.1, "isChosen": $0.0 == test.group] as [String: Any] }],
        ] as [String: Any]
    }

    private var types: Any {
        guard test.isAttribute, test.comparator == .is || isList else { return false }
        let all = [("text", "as text"), ("number", "as number"), ("boolean", "as yes or no")]
        return ["all": all.map { ["id": $0.0, "label": $0.1, "isChosen": $0.0 == test.type] as [String: Any] }]
    }

    /// The values to choose from; empty if there are too many.
    private var known: [(id: String, label: String)] {
        if test.isAttribute { return test.kind == .boolean ? [("true", "yes"), ("false", "no")] : [] }
        switch fact {
        case .subscriptionExpirationIntent:
            guard test.comparator == .is || isList else { return [] }
            return ConditionFact.lapseReasons.enumerated().map { ("\($0 + 1)", $1) }
        case .subscriptionProductID:
            guard test.comparator == .is || isList else { return [] }
            return catalogue.sorted.filter { test.group.isEmpty || $0.groupID == test.group }.map { ($0.id, $0.id) }
        case .offersRedeemed:
            let offers = Set(catalogue.sorted.flatMap(\.promotionalOfferIDs)).sorted()
            return offers.map { ($0, $0) }
        case let fact?:
            guard test.comparator == .is || isList else { return [] }
            return (fact.values ?? []).map { value in
                if case .boolean(let flag) = value { return (flag ? "true" : "false", flag ? "yes" : "no") }
                return (ConditionText.words(value), ConditionText.words(value))
            }
        case nil: return []
        }
    }

    private var choice: Any {
        guard !isList, test.comparator != .between, test.comparator != .exists, !known.isEmpty else { return false }
        var choices = [(id: "", label: "Choose …")] + known
        if !choices.contains(where: { $0.id == test.value }) { choices.append((test.value, test.value)) }
        return ["all": choices.map { ["id": $0.id, "label": $0.label, "isChosen": $0.id == test.value] as [String: Any] }]
    }

    private var picks: Any {
        guard isList, !known.isEmpty else { return false }
        let chosen = test.value.split(separator: "\n").map(String.init)
        let choices = known + chosen.filter { value in !known.contains { $0.id == value } }.map { ($0, $0) }
        let names = choices.filter { chosen.contains($0.id) }.map(\.label)
        return [
            "summary": names.isEmpty ? "Choose …" : names.joined(separator: ", "), "isOpen": names.isEmpty,
            "all": choices.map { ["id": $0.id, "label": $0.label, "isChosen": chosen.contains($0.id)] as [String: Any] },
        ] as [String: Any]
    }

    private var text: Any {
        guard isList, known.isEmpty else { return false }
        return ["value": test.value, "placeholder": fact == .subscriptionStorefront ? "USA" : ""] as [String: Any]
    }

    private var range: Any {
        guard test.comparator == .between else { return false }
        return ["start": test.value, "end": test.end, "unit": unit, "mode": mode] as [String: Any]
    }

    private var input: Any {
        guard !isList, known.isEmpty, test.comparator != .between, test.comparator != .exists else { return false }
        let isTime = test.comparator == .before || test.comparator == .after
        return [
            "value": test.value, "unit": unit, "mode": test.kind == .number ? mode : "text",
            "isNumber": test.kind == .number, "placeholder": isTime ? "2026-03-01, or -P30D for 30 days ago" : "",
        ] as [String: Any]
    }

    private var mode: String { fact == .subscriptionPrice ? "decimal" : "numeric" }

    private var unit: String {
        switch fact {
        case .subscriptionDaysSinceLapse, .subscriptionDaysUntilRenewal, .subscriptionDaysSubscribed, .offersDaysSinceLast,
            .customerDaysSinceFirstPurchase:
            "days"
        case .subscriptionPaidPeriods: "periods"
        case .refundsCount: "refunds"
        case .offersRedeemedCount: "offers"
        case .subscriptionPrice: "as charged"
        default: ""
        }
    }
}
