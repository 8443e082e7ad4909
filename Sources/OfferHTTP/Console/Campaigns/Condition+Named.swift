import EligibilityRules
import OfferService

extension Segment {
    /// Returns the segment with its condition in a form for people.
    func named(in catalogue: Catalogue) -> Segment {
        Segment(id: id, name: name, condition: condition.named(in: catalogue), version: version)
    }
}

extension Condition {
    /// Returns the condition in a form for people. Countries have their names instead of codes, and if the app has only one
    /// subscription group, its id is left out.
    func named(in catalogue: Catalogue) -> Condition {
        let groups = Set(catalogue.sorted.map { ExactText($0.groupID) })
        return mapped { $0.named(hidesGroup: groups.count == 1) }
    }

    /// Returns the condition as a phrase that can follow the word "customers".
    ///
    /// If it lists all members of the European Union, the phrase names the European Union instead.
    func words(in catalogue: Catalogue, segments: [Segment] = []) -> String {
        let short = { (condition: Condition) in condition.named(in: catalogue).mapped(\.withUnion) }
        let segments = segments.map { Segment(id: $0.id, name: $0.name, condition: short($0.condition), version: $0.version) }
        return ConditionText.words(short(self), segments: Segments(segments))
    }

    private func mapped(_ change: (ConditionTest) -> ConditionTest) -> Condition {
        switch self {
        case .all(let parts): .all(parts.map { $0.mapped(change) })
        case .any(let parts): .any(parts.map { $0.mapped(change) })
        case .not(let part): .not(part.mapped(change))
        case .segment: self
        case .test(let test): .test(change(test))
        }
    }
}

extension ConditionTest {
    fileprivate func named(hidesGroup: Bool) -> ConditionTest {
        let operand = subject.named(operand)
        if hidesGroup, case .fact(let name, _) = subject {
            return ConditionTest(.fact(name, group: nil), comparison, operand)
        }
        return ConditionTest(subject, comparison, operand)
    }

    fileprivate var withUnion: ConditionTest {
        guard comparison == .oneOf, case .list(let values) = operand else { return self }
        let members = Country.all.filter(\.isOfEuropeanUnion).map { ConditionValue.text($0.name) }
        guard Set(members).isSubset(of: values) else { return self }
        let others = values.filter { !members.contains($0) }
        return ConditionTest(subject, comparison, .list([.text("the European Union")] + others))
    }
}

extension ConditionTest.Subject {
    /// Returns a value that the condition compares with, in a form for people: a country's name instead of its code.
    func named(_ value: ConditionValue) -> ConditionValue {
        switch (self, value) {
        case (_, .list(let values)): .list(values.map(named))
        case (.fact(ConditionFact.subscriptionStorefront.rawValue, _), .text(let code)): .text(Country.name(storefront: code))
        case (.attribute("country"), .text(let code)): .text(Country.all.first { $0.alpha2 == code }?.name ?? code)
        default: value
        }
    }
}
