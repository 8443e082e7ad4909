/// The tests of all live campaigns, each once: what many campaigns ask is looked at once for each customer.
struct TestTable: Sendable {
    private(set) var tests: [CompiledTest] = []
    private var places: [CompiledTest: Int] = [:]

    mutating func place(of test: CompiledTest) -> Int {
        if let place = places[test] { return place }
        places[test] = tests.count
        tests.append(test)
        return tests.count - 1
    }
}

/// What the tests have come to for one customer, as far as anybody has asked.
struct TestResults: ~Copyable {
    private static let notAsked: UInt8 = 3

    private let tests: [CompiledTest]
    private let results: UnsafeMutableBufferPointer<UInt8>
    private let facts: CustomerFacts
    private let attributes: Attributes

    /// - Parameter results: room for as many as there are tests, for as long as this lives.
    init(_ table: TestTable, _ results: UnsafeMutableBufferPointer<UInt8>, _ facts: CustomerFacts, _ attributes: Attributes) {
        results.initialize(repeating: Self.notAsked)
        tests = table.tests
        self.results = results
        self.facts = facts
        self.attributes = attributes
    }

    func truth(of place: Int) -> Truth {
        if let truth = Truth(rawValue: results[place]) { return truth }
        let truth = tests[place].truth(facts, attributes)
        results[place] = truth.rawValue
        return truth
    }
}
