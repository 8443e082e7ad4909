import EligibilityRules

// The choices in a row.
extension TestFields {
    /// The comparisons to choose from, with labels. They are those that fit the fact, and always the one that is chosen now.
    var comparisons: [(id: String, label: String)] {
        if isSegment { return [("is", "is"), ("!is", "is not")] }
        let fitting = Self.all.filter { fits($0.id) }
        if fitting.contains(where: { $0.id == comparison }) { return fitting }
        return fitting + [Self.all.first { $0.id == comparison } ?? (comparison, comparison)]
    }

    /// Adapts the group and the comparison to the fact, after a user has chosen another one.
    mutating func adapt() {
        if isAttribute || ConditionFact(rawValue: fact)?.takesGroup != true { group = "" }
        if isSegment {
            (comparison, value) = ("is", "")
        } else if !fits(comparison) {
            comparison = Self.preferred(for: ConditionFact(rawValue: fact))
        }
    }

    /// Creates a new row.
    static func fresh(_ fact: String, group: String) -> TestFields {
        let known = ConditionFact(rawValue: fact)
        var test = TestFields(fact: fact, comparison: fact == segment ? "is" : preferred(for: known))
        if known?.needsGroup == true { test.group = group }
        return test
    }

    private func fits(_ id: String) -> Bool {
        var test = self
        test.comparison = id
        guard let comparator = test.comparator else { return false }
        // Apple's expiration reasons are numbers, but their order means nothing. So they can be equal, and not greater or
        // smaller.
        if fact == ConditionFact.subscriptionExpirationIntent.rawValue { return [.is, .oneOf, .exists].contains(comparator) }
        return isAttribute || comparator.fits(ConditionFact(rawValue: fact)?.kind ?? .text)
    }

    private static func preferred(for fact: ConditionFact?) -> String {
        if fact == .subscriptionExpirationIntent { return "oneOf" }
        return switch fact?.kind ?? .text {
        case .text: "oneOf"
        case .number: "!below"
        case .boolean: "is"
        case .texts: "!contains"
        }
    }

    private static let all: [(id: String, label: String)] = [
        ("is", "is"), ("!is", "is not"), ("oneOf", "is one of"), ("!oneOf", "is none of"), ("!below", "is at least"),
        ("!above", "is at most"), ("between", "is between"), ("!between", "is not between"), ("above", "is more than"),
        ("below", "is less than"), ("startsWith", "begins with"), ("!startsWith", "does not begin with"),
        ("contains", "includes"), ("!contains", "does not include"), ("versionAtLeast", "is version … or later"),
        ("!versionAtLeast", "is earlier than version"), ("before", "is before"), ("after", "is after"),
        ("!before", "is not before"), ("!after", "is not after"), ("known", "is known"), ("unknown", "is not known"),
    ]
}
