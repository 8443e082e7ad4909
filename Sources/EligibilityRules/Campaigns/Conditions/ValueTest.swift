/// A comparison whose operand has been parsed, ready to test a fact or an attribute.
enum ValueTest: Hashable, Sendable {
    case exists(Bool)
    case text(TextTest)
    case number(NumberTest)
    case boolean(Bool)
    /// The value is a list that contains this text.
    case member(ExactText)
    case versionAtLeast(SemanticVersion)
    case before(ConditionTime)
    case after(ConditionTime)

    /// Tests a value.
    ///
    /// A value whose type does not fit the test counts as missing.
    func truth(of value: ConditionValue?, at now: Instant) -> Truth {
        if case .exists(let isWanted) = self { return Truth((value != nil) == isWanted) }
        guard let value else { return .unknown }
        return switch self {
        case .exists: .unknown
        case .text(let test): Truth(value.text.map(test.holds))
        case .number(let test): Truth(value.number.map(test.holds))
        case .boolean(let isTrue): Truth(value.boolean.map { $0 == isTrue })
        case .member(let text): if case .list(let list) = value { Truth(list.contains(.text(text.string))) } else { .unknown }
        case .versionAtLeast(let version): Truth(value.text.flatMap(SemanticVersion.init).map { $0 >= version })
        case .before(let time): Truth(Instant(value).map { time.isAfter($0, at: now) })
        case .after(let time): Truth(Instant(value).map { time.isBefore($0, at: now) })
        }
    }

    /// Tests a fact without first making a `ConditionValue` of it, which would cost time in every decision.
    func truth(of reference: FactReference, _ facts: borrowing CustomerFacts) -> Truth {
        switch self {
        case .text(let test): Truth(facts.text(reference).map(test.holds))
        case .number(let test): Truth(facts.number(reference).map(test.holds))
        case .boolean(let isTrue): Truth(facts.boolean(reference).map { $0 == isTrue })
        case .member(let text): Truth(facts.contains(text, reference))
        case .exists, .versionAtLeast, .before, .after: truth(of: facts.value(reference), at: facts.asOf)
        }
    }
}

enum NumberTest: Hashable, Sendable {
    case oneOf([Double])
    case above(Double)
    case below(Double)
    /// A number of a range, both ends included.
    case between(Double, Double)

    func holds(for number: Double) -> Bool {
        switch self {
        case .oneOf(let numbers): numbers.contains(number)
        case .above(let bound): number > bound
        case .below(let bound): number < bound
        case .between(let low, let high): low <= number && number <= high
        }
    }
}

/// A test of a text, byte by byte.
enum TextTest: Hashable, Sendable {
    case oneOf([ExactText])
    case startsWith(String)
    case contains(String)

    func holds(for text: String) -> Bool {
        switch self {
        case .oneOf(let texts):
            let exact = ExactText(text)
            for candidate in texts where candidate == exact { return true }
            return false
        case .startsWith(let prefix): return text.utf8.starts(with: prefix.utf8)
        case .contains(let part): return TextTest.contains(text.utf8, part.utf8)
        }
    }

    private static func contains(_ text: String.UTF8View, _ part: String.UTF8View) -> Bool {
        var rest = text[...]
        while rest.count >= part.count {
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}

extension ValueTest {
    /// Parses the operand; the result is nil if the operand does not fit the operator and the kind.
    ///
    /// - Parameter kind: the kind of the fact; nil for an attribute, which may be anything except a list.
    init?(_ written: ConditionTest, _ kind: ConditionFact.Kind?) {
        let operand = written.operand
        switch written.comparison {
        case .exists:
            guard let isWanted = operand.boolean else { return nil }
            self = .exists(isWanted)
        case .is: self.init(oneOf: [operand], kind)
        case .oneOf:
            guard case .list(let values) = operand else { return nil }
            self.init(oneOf: values, kind)
        case .above, .below, .between: self.init(written.comparison, bounds: operand)
        case .startsWith, .contains:
            guard let text = operand.text, !text.isEmpty else { return nil }
            if kind == .texts {
                self = .member(ExactText(text))
            } else {
                self = .text(written.comparison == .contains ? .contains(text) : .startsWith(text))
            }
        case .versionAtLeast:
            guard let version = operand.text.flatMap(SemanticVersion.init) else { return nil }
            self = .versionAtLeast(version)
        case .before, .after:
            guard let time = operand.text.flatMap(ConditionTime.init) else { return nil }
            self = written.comparison == .before ? .before(time) : .after(time)
        }
    }

    private init?(oneOf values: [ConditionValue], _ kind: ConditionFact.Kind?) {
        let texts = values.compactMap(\.text).map(ExactText.init)
        let numbers = values.compactMap(\.number)
        if let isTrue = values.first?.boolean, values.count == 1, kind == nil || kind == .boolean {
            self = .boolean(isTrue)
        } else if texts.count == values.count, kind == nil || kind == .text {
            // An empty list also gets here. No value is in it, so its type does not matter.
            self = .text(.oneOf(texts))
        } else if numbers.count == values.count, kind == nil || kind == .number {
            self = .number(.oneOf(numbers))
        } else {
            return nil
        }
    }

    private init?(_ comparison: ConditionOperator, bounds: ConditionValue) {
        if comparison == .between {
            guard case .list(let values) = bounds, values.count == 2, let low = values[0].number, let high = values[1].number
            else { return nil }
            self = .number(.between(low, high))
        } else {
            guard let bound = bounds.number else { return nil }
            self = .number(comparison == .above ? .above(bound) : .below(bound))
        }
    }

    /// Returns a sentence that says which operand an operator needs.
    static func wanted(by comparison: ConditionOperator, _ kind: ConditionFact.Kind?) -> String {
        switch comparison {
        case .exists: "Give `true` or `false`."
        case .is:
            "Give \(kind.map { kind in kind == .number ? "a number" : kind == .boolean ? "`true` or `false`" : "a text" } ?? "a text, a number, `true` or `false`")."
        case .oneOf: "Give a list of \(kind.map { $0 == .number ? "numbers" : "texts" } ?? "texts, or of numbers")."
        case .above, .below: "Give a number."
        case .between: "Give two numbers, the smaller one first."
        case .startsWith, .contains: "Give a text that is not empty."
        case .versionAtLeast: "Give a version as a text, such as \"2.1.0\"."
        case .before, .after:
            "Give a time in UTC (2026-03-01T09:00:00Z), a date, or a time from now: -P30D is 30 days ago, P30D in 30 days."
        }
    }
}
