/// What the tests have come to for one customer, as far as anybody has asked.
struct TestResults: ~Copyable {
    private static let notAsked: UInt8 = 3
    // No fact is either of them.
    private static let notRead = Double.infinity
    private static let missing = -Double.infinity

    private let table: TestTable
    private let results: UnsafeMutableBufferPointer<UInt8>
    private let numbers: UnsafeMutableBufferPointer<Double>
    private let facts: CustomerFacts
    private let attributes: Attributes

    /// - Parameters:
    ///   - results: room for as many as there are tests, for as long as this lives.
    ///   - numbers: room for as many as there are numbers.
    init(
        _ table: TestTable,
        _ results: UnsafeMutableBufferPointer<UInt8>,
        _ numbers: UnsafeMutableBufferPointer<Double>,
        _ facts: CustomerFacts,
        _ attributes: Attributes
    ) {
        results.initialize(repeating: Self.notAsked)
        numbers.initialize(repeating: Self.notRead)
        self.table = table
        self.results = results
        self.numbers = numbers
        self.facts = facts
        self.attributes = attributes
    }

    func truth(of place: Int) -> Truth {
        if let truth = Truth(rawValue: results[place]) { return truth }
        let entry = table.entries[place]
        let truth =
            if let test = entry.number {
                Truth(number(entry.numberPlace).map(test.holds))
            } else {
                entry.test.truth(facts, attributes)
            }
        results[place] = truth.rawValue
        return truth
    }

    private func number(_ place: Int) -> Double? {
        if numbers[place] == Self.notRead { numbers[place] = facts.number(table.numbers[place]) ?? Self.missing }
        return numbers[place] == Self.missing ? nil : numbers[place]
    }
}
