/// What the tests have come to for one customer, as far as anybody has asked.
///
/// The customer is handed in with each question: to keep it would be to copy all that is known.
struct TestResults: ~Copyable {
    private static let notAsked: UInt8 = 3
    // No fact is either of them.
    private static let notRead = Double.infinity
    private static let missing = -Double.infinity

    private let layout: TestLayout
    private let results: UnsafeMutableBufferPointer<UInt8>
    private let numbers: UnsafeMutableBufferPointer<Double>

    init(_ layout: TestLayout) {
        self.layout = layout
        results = .allocate(capacity: layout.tests.count)
        numbers = .allocate(capacity: layout.numbers.count)
        results.initialize(repeating: Self.notAsked)
        numbers.initialize(repeating: Self.notRead)
    }

    deinit {
        results.deallocate()
        numbers.deallocate()
    }

    /// Of the audiences.
    var steps: UnsafeBufferPointer<AudienceProgram.Step> { layout.steps }

    func truth(of place: Int, for context: borrowing CampaignContext) -> Truth {
        if let truth = Truth(rawValue: results[place]) { return truth }
        let truth =
            if let look = layout.looks[place] {
                Truth(number(look.place, context).map(look.test.holds))
            } else {
                layout.tests[place].truth(context.facts, context.attributes)
            }
        results[place] = truth.rawValue
        return truth
    }

    private func number(_ place: Int, _ context: borrowing CampaignContext) -> Double? {
        if numbers[place] == Self.notRead { numbers[place] = context.facts.number(layout.numbers[place]) ?? Self.missing }
        return numbers[place] == Self.missing ? nil : numbers[place]
    }
}
