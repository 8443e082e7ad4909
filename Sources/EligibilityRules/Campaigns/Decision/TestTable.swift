/// The tests of all live campaigns, each once: what many campaigns ask is looked at once for each customer.
struct TestTable: Sendable {
    /// A test of a number, and which number: looked at without a reference to follow.
    struct NumberLook: Sendable {
        let test: NumberTest
        let place: Int
    }

    private(set) var tests: [CompiledTest] = []
    /// One for each test; nil where that is of anything else than a number.
    private(set) var looks: [NumberLook?] = []
    /// Of the audiences of all campaigns.
    var steps: [AudienceProgram.Step] = []
    /// The facts that are numbers, each once.
    private(set) var numbers: [FactReference] = []
    private var places: [CompiledTest: Int] = [:]

    /// Whether a test is of a fact that the gist of a history does not tell.
    var asksForMoreThanGist: Bool {
        tests.contains { if case .fact(let reference) = $0.subject { !reference.fact.isInGist } else { false } }
    }

    mutating func place(of test: CompiledTest) -> Int {
        if let place = places[test] { return place }
        places[test] = tests.count
        tests.append(test)
        if case .fact(let reference) = test.subject, case .number(let number) = test.test {
            let place = numbers.firstIndex(of: reference) ?? numbers.count
            if place == numbers.count { numbers.append(reference) }
            looks.append(NumberLook(test: number, place: place))
        } else {
            looks.append(nil)
        }
        return tests.count - 1
    }
}
