/// The literals of a term that test the same fact or attribute, to find out whether they contradict each other.
///
/// If that cannot be determined, they count as free of contradictions.
struct SubjectLiterals {
    private let subject: CompiledTest.Subject
    private let literals: [ConditionLiteral]

    init(_ subject: CompiledTest.Subject, _ literals: [ConditionLiteral]) {
        self.subject = subject
        self.literals = literals
    }

    /// Whether the literals contradict each other: no value passes all of them, and a missing value does not either.
    var isDead: Bool {
        let wantsNothing = literals.contains { $0.test.test == .exists(false) }
        if wantsNothing { return fact?.isAlwaysKnown == true || needsValue }
        let tests = literals.filter { if case .exists = $0.test.test { false } else { true } }
        if let candidates { return !candidates.contains { candidate in tests.allSatisfy { $0.mayPass(candidate) } } }
        if tests.contains(where: { literal in tests.contains { $0.test == literal.test && $0.isDenied != literal.isDenied } }) {
            return true
        }
        return hasTypeConflict || hasTextConflict || hasVersionConflict || hasTimeConflict || range.isEmpty
    }

    /// Whether a literal requires a value, so that a missing value does not pass.
    var needsValue: Bool { literals.contains { $0.test.test != .exists(false) } }

    private var fact: ConditionFact? { if case .fact(let reference) = subject { reference.fact } else { nil } }

    private var range: NumberRange {
        var range = NumberRange(isWhole: fact != nil)
        for literal in literals { range.narrow(by: literal) }
        return range
    }

    /// A list of values that contains every value that can pass; nil if they cannot be enumerated.
    private var candidates: [ConditionValue]? {
        if let values = fact?.values { return values }
        for literal in literals where !literal.isDenied {
            switch literal.test.test {
            case .text(.oneOf(let texts)): return texts.map { .text($0.string) }
            case .number(.oneOf(let numbers)): return numbers.map(ConditionValue.number)
            case .boolean: return [false, true]
            default: break
            }
        }
        let concernsNumbers = literals.contains { if case .number = $0.test.test { true } else { false } }
        return concernsNumbers ? range.numbers?.map(ConditionValue.number) : nil
    }

    /// Whether the literals need values of different types.
    private var hasTypeConflict: Bool {
        var types: Set<ConditionFact.Kind> = [.text, .number, .boolean, .texts]
        for literal in literals {
            switch literal.test.test {
            case .exists: break
            case .text, .versionAtLeast: types.formIntersection([.text])
            case .number: types.formIntersection([.number])
            case .boolean: types.formIntersection([.boolean])
            case .member: types.formIntersection([.texts])
            case .before, .after: types.formIntersection([.text, .number])
            }
        }
        return types.isEmpty
    }

    private var hasTextConflict: Bool {
        let prefixes = literals.compactMap { literal -> (text: String, isDenied: Bool)? in
            if case .text(.startsWith(let text)) = literal.test.test { (text, literal.isDenied) } else { nil }
        }
        for (first, isDenied) in prefixes where !isDenied {
            for (second, isOtherDenied) in prefixes {
                let isLonger = first.utf8.starts(with: second.utf8)
                if isOtherDenied ? isLonger : !isLonger && !second.utf8.starts(with: first.utf8) { return true }
            }
            let excluded = literals.contains { literal in
                if case .text(.contains) = literal.test.test, literal.isDenied { !literal.mayPass(.text(first)) } else { false }
            }
            if excluded { return true }
        }
        return false
    }

    private var hasVersionConflict: Bool {
        var (low, high): (SemanticVersion?, SemanticVersion?)
        for literal in literals {
            guard case .versionAtLeast(let version) = literal.test.test else { continue }
            if literal.isDenied {
                high = high.map { min($0, version) } ?? version
            } else {
                low = low.map { max($0, version) } ?? version
            }
        }
        guard let low, let high else { return false }
        return low >= high
    }

    private var hasTimeConflict: Bool {
        var (low, high) = (Int64.min, Int64.max)
        for literal in literals {
            switch (literal.test.test, literal.isDenied) {
            case (.after(.at(let time)), false): low = max(low, time.milliseconds + 1)
            case (.after(.at(let time)), true): high = min(high, time.milliseconds)
            case (.before(.at(let time)), false): high = min(high, time.milliseconds - 1)
            case (.before(.at(let time)), true): low = max(low, time.milliseconds)
            default: break
            }
        }
        return low > high
    }
}

extension ConditionLiteral {
    /// Whether a value passes; true also if that depends on the time of the decision.
    func mayPass(_ value: ConditionValue) -> Bool {
        switch test.test {
        case .before(.ago), .before(.ahead), .after(.ago), .after(.ahead): true
        default: test.test.truth(of: value, at: Instant(milliseconds: 0)) == expected
        }
    }
}
