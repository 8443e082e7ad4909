import EligibilityRules
import OfferService

extension Segment {
    /// Returns the segment without the subscription group's id if the app has only one group.
    func withKnownGroups(in catalogue: Catalogue) -> Segment {
        Segment(id: id, name: name, condition: condition.withKnownGroups(in: catalogue), version: version)
    }
}

extension Condition {
    /// Returns the condition without the subscription group's id if the app has only one group.
    func withKnownGroups(in catalogue: Catalogue) -> Condition {
        let groups = Set(catalogue.sorted.map { ExactText($0.groupID) })
        return groups.count == 1 ? withoutGroups : self
    }

    private var withoutGroups: Condition {
        switch self {
        case .all(let parts): .all(parts.map(\.withoutGroups))
        case .any(let parts): .any(parts.map(\.withoutGroups))
        case .not(let part): .not(part.withoutGroups)
        case .segment: self
        case .test(let test):
            if case .fact(let name, _) = test.subject {
                .test(ConditionTest(.fact(name, group: nil), test.comparison, test.operand))
            } else {
                self
            }
        }
    }
}
