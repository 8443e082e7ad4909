import EligibilityRules
import TestRandomness

/// Conditions that can be read, over the facts and attributes of `RandomCustomers`.
struct RandomConditions {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func condition(depth: Int = 0) -> Condition {
        if depth < 4, random.below(10) < (depth == 0 ? 8 : 5) {
            switch random.below(5) {
            case 0: return .not(condition(depth: depth + 1))
            case 1, 2: return .all(parts(depth))
            default: return .any(parts(depth))
            }
        }
        if depth > 0, random.once(in: 20) { return .segment(random.any(of: ["lapsed", "north"])) }
        return .test(random.once(in: 3) ? attributeTest() : factTest())
    }

    /// What the conditions refer to.
    static let segments = Segments([
        Segment(
            id: "lapsed", name: "Lapsed",
            condition: .any([.test(ConditionTest(.subscriptionState, group: "main", .is, "expired")), .segment("north")])),
        Segment(id: "north", name: "North", condition: .test(ConditionTest(.attribute("country"), .oneOf, ["CA", "US"]))),
    ])

    private mutating func parts(_ depth: Int) -> [Condition] {
        (0..<random.any(of: [1, 2, 2, 3, 4])).map { _ in condition(depth: depth + 1) }
    }

    private mutating func factTest() -> ConditionTest {
        let fact = random.any(of: ConditionFact.allCases)
        let group: String? =
            fact.needsGroup || fact.takesGroup && random.once(in: 2) ? random.any(of: ["main", "main", "other", "third"]) : nil
        if random.once(in: 10) { return ConditionTest(fact, group: group, .exists, .boolean(random.once(in: 2))) }
        switch fact.kind {
        case .boolean: return ConditionTest(fact, group: group, .is, .boolean(random.once(in: 2)))
        case .texts: return ConditionTest(fact, .contains, random.any(of: ["half", "third", "never"]))
        case .text: return textTest(.fact(fact.rawValue, group: group), values(of: fact))
        case .number: return numberTest(.fact(fact.rawValue, group: group), [0, 1, 2, 5, 20, 40, 90, 9990])
        }
    }

    private func values(of fact: ConditionFact) -> [ConditionValue] {
        switch fact {
        case .subscriptionProductID: ["monthly", "premium", "news", "legacy"]
        case .subscriptionStorefront: ["USA", "DEU"]
        default: fact.values!
        }
    }

    private mutating func attributeTest() -> ConditionTest {
        let name = random.any(of: ["country", "version", "level", "beta", "joined", "missing"])
        let subject = ConditionTest.Subject.attribute(name)
        if random.once(in: 8) { return ConditionTest(subject, .exists, .boolean(random.once(in: 2))) }
        switch name {
        case "version": return ConditionTest(subject, .versionAtLeast, random.any(of: ["2.1", "2.1.0-beta.3", "3", "2.0.0.1"]))
        case "level": return numberTest(subject, [0, 1, 2.5, 3, 10])
        case "beta": return ConditionTest(subject, .is, .boolean(random.once(in: 2)))
        case "joined":
            return ConditionTest(
                subject, random.any(of: [.before, .after]),
                random.any(of: ["2026-06-20", "-P10D", "P2W", "2026-07-01T00:00:00Z"]))
        default: return textTest(subject, ["US", "CA", "us", "e\u{301}"])
        }
    }

    private mutating func textTest(_ subject: ConditionTest.Subject, _ values: [ConditionValue]) -> ConditionTest {
        switch random.below(5) {
        case 0: ConditionTest(subject, .is, random.any(of: values))
        case 1: ConditionTest(subject, .startsWith, random.any(of: ["U", "e", "m", "US", "Pro"]))
        case 2: ConditionTest(subject, .contains, random.any(of: ["S", "e", "ew", "-", "x"]))
        default: ConditionTest(subject, .oneOf, .list(values.filter { _ in random.once(in: 2) } + [values[0]]))
        }
    }

    private mutating func numberTest(_ subject: ConditionTest.Subject, _ values: [Double]) -> ConditionTest {
        let (first, second) = (random.any(of: values), random.any(of: values))
        switch random.below(5) {
        case 0: return ConditionTest(subject, .is, .number(first))
        case 1: return ConditionTest(subject, .above, .number(first))
        case 2: return ConditionTest(subject, .below, .number(first))
        case 3: return ConditionTest(subject, .oneOf, .list([.number(first), .number(second)]))
        default: return ConditionTest(subject, .between, .list([.number(min(first, second)), .number(max(first, second))]))
        }
    }
}
