/// The tests of all live campaigns, each once. A test that many campaigns share is evaluated once for each customer.
struct TestTable: Sendable {
    /// A range of numbers, ends included, and the number that is tested: a flat value.
    struct NumberLook: Sendable {
        let low: Double
        let high: Double
        /// The index of the number; negative for a test of another form.
        let place: Int32

        static let none = NumberLook(low: 0, high: 0, place: -1)
    }

    private(set) var tests: [CompiledTest] = []
    /// One for each test.
    private(set) var looks: [NumberLook] = []
    /// The steps of all campaigns' audiences.
    var steps: [AudienceProgram.Step] = []
    /// The facts that are numbers, each once.
    private(set) var numbers: [FactReference] = []
    private var places: [CompiledTest: Int] = [:]

    /// Whether a test reads a fact that the summary of a history does not hold.
    var asksForMoreThanSummary: Bool {
        tests.contains { if case .fact(let reference) = $0.subject { !reference.fact.isInSummary } else { false } }
    }

    mutating func place(of test: CompiledTest) -> Int {
        if let place = places[test] { return place }
        places[test] = tests.count
        tests.append(test)
        if case .fact(let reference) = test.subject, case .number(let number) = test.test, let range = number.range {
            let place = numbers.firstIndex(of: reference) ?? numbers.count
            if place == numbers.count { numbers.append(reference) }
            looks.append(NumberLook(low: range.low, high: range.high, place: Int32(place)))
        } else {
            looks.append(.none)
        }
        return tests.count - 1
    }
}

extension NumberTest {
    /// The test as a range with both ends included; nil for a list.
    fileprivate var range: (low: Double, high: Double)? {
        switch self {
        case .oneOf: nil
        case .above(let bound): (bound.nextUp, .infinity)
        case .below(let bound): (-.infinity, bound.nextDown)
        case .between(let low, let high): (low, high)
        }
    }
}
