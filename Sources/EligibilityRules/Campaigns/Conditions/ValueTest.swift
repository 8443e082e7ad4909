/// A test with its operand parsed, for any value.
enum ValueTest: Hashable, Sendable {
    case exists(Bool)
    case text(TextTest)
    case number(NumberTest)
    case boolean(Bool)
    /// A list contains this text.
    case member(ExactText)
    case versionAtLeast(SemanticVersion)
    case before(ConditionTime)
    case after(ConditionTime)

    /// Tests a value. A value of another type counts as missing.
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

    /// Tests a fact, read directly.
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

/// A test of a number.
enum NumberTest: Hashable, Sendable {
    case oneOf([Double])
    case above(Double)
    case below(Double)
    /// Both ends included.
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
