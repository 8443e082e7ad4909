/// The tests of all live campaigns, each once.
///
/// A test that many campaigns share is therefore evaluated only once for each customer.
struct TestTable: Sendable {
    /// A test whether a number lies in a range, both ends included.
    ///
    /// It is a flat value without references, so that such a test needs no look at the `CompiledTest`.
    struct NumberLook: Sendable {
        let low: Double
        let high: Double
        /// The index of the number in `numbers`; negative for a test that is not of this form.
        let place: Int32

        /// The mark of a test that is not of this form.
        static let none = NumberLook(low: 0, high: 0, place: -1)
    }

    private(set) var tests: [CompiledTest] = []
    /// The fast form of each test, in the same order.
    private(set) var looks: [NumberLook] = []
    /// The steps of all audiences.
    var steps: [AudienceProgram.Step] = []
    /// The facts with numbers that are tested, each once.
    private(set) var numbers: [FactReference] = []
    private var places: [CompiledTest: Int] = [:]

    /// Whether a test reads a fact that the summary of a history does not give (`PurchaseChain.summary(from:)`).
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
    /// The test as a range with both ends included; nil for a list of numbers.
    fileprivate var range: (low: Double, high: Double)? {
        switch self {
        case .oneOf: nil
        case .above(let bound): (bound.nextUp, .infinity)
        case .below(let bound): (-.infinity, bound.nextDown)
        case .between(let low, let high): (low, high)
        }
    }
}
