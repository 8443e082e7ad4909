/// The results of the tests for one customer, each evaluated when it is first needed.
///
/// Each call takes the customer as an argument, because storing the customer here would copy all facts.
struct TestResults: ~Copyable {
    // Marks for numbers that are not read yet, or that the customer does not have. No fact has either value.
    private static let notRead = Double.infinity
    private static let missing = -Double.infinity

    private let layout: TestLayout
    /// The result of each test; nil until the test is evaluated.
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

    func step(_ place: Int) -> AudienceProgram.Step { layout.steps[place] }

    @inline(__always)
    func truth(of place: Int, for context: borrowing CampaignContext) -> Truth {
        if let truth = results[place] { return truth }
        let look = layout.looks[place]
        if look.place < 0 { return ask(place, context) }
        let number = number(Int(look.place), context)
        // The result is not stored, because testing a number takes no longer than reading a stored result.
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
