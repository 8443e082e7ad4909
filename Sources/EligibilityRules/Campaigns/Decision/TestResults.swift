/// The results of the tests for one customer, evaluated on demand.
///
/// Each call passes the customer in. To store it would copy all of its facts.
struct TestResults: ~Copyable {
    // No fact has either value.
    private static let notRead = Double.infinity
    private static let missing = -Double.infinity

    private let layout: TestLayout
    /// Nil where a test is not evaluated yet.
    private let results: UnsafeMutableBufferPointer<Truth?>
    private let numbers: UnsafeMutableBufferPointer<Double>

    init(_ layout: TestLayout) {
        self.layout = layout
        results = .allocate(capacity: layout.tests.count)
        numbers = .allocate(capacity: layout.numbers.count)
        results.initialize(repeating: nil)
        numbers.initialize(repeating: Self.notRead)
    }

    deinit {
        results.deallocate()
        numbers.deallocate()
    }

    /// Returns a step of the audiences.
    func step(_ place: Int) -> AudienceProgram.Step { layout.steps[place] }

    @inline(__always)
    func truth(of place: Int, for context: borrowing CampaignContext) -> Truth {
        if let truth = results[place] { return truth }
        let look = layout.looks[place]
        if look.place < 0 { return ask(place, context) }
        let number = number(Int(look.place), context)
        // Not stored: a test of a number is as fast as reading its result, and most tests belong to one campaign.
        return number == Self.missing ? .unknown : look.low <= number && number <= look.high ? .yes : .no
    }

    @inline(never)
    private func ask(_ place: Int, _ context: borrowing CampaignContext) -> Truth {
        let truth = layout.tests[place].truth(context.facts, context.attributes)
        results[place] = truth
        return truth
    }

    @inline(__always)
    private func number(_ place: Int, _ context: borrowing CampaignContext) -> Double {
        let number = numbers[place]
        return number == Self.notRead ? read(place, context) : number
    }

    @inline(never)
    private func read(_ place: Int, _ context: borrowing CampaignContext) -> Double {
        numbers[place] = context.facts.number(layout.numbers[place]) ?? Self.missing
        return numbers[place]
    }
}
