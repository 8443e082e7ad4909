package import EligibilityRules

/// The number of stored customers in an audience, and some of them.
package struct AudienceCount: Sendable {
    /// A customer that is shown as an example.
    package struct Sampled: Sendable {
        package let customerID: String
        /// The numbers of the stages that exclude the customer; empty if the customer fits.
        package let obstacles: [Int]
        /// What each stage has found about the customer, one line for each stage, in their order.
        package let reasons: [String]
    }

    /// The maximum number of customers in `sample`, and the maximum number in `misses`.
    package static let sampleSize = 40
    static let nearMisses = 10

    /// The number of customers that were examined.
    package internal(set) var customers = 0
    /// At index n, the number of customers that passed the first n stages.
    ///
    /// The first element counts all customers, and the last counts those that fit.
    package internal(set) var passed: [Int]
    /// The number of customers whose stored data cannot be read. None of them counts as fitting.
    package internal(set) var unreadable = 0
    /// Some customers that fit. The sample is as good as random.
    package internal(set) var sample: [Sampled] = []
    /// Some customers that only one of the stages excludes.
    package internal(set) var misses: [Sampled] = []

    /// The customers that fit and have asked for offers lately, by day.
    package var asking: AskingDays { AskingDays(counts: asked) }
    private var asked: [Int]
    /// The number of stored customers who have asked for offers lately, whether they fit or not.
    private(set) var storedAsking = 0
    /// The number of customers who have asked for offers lately and of whom nothing is stored. They have bought nothing, as far as
    /// is known.
    package internal(set) var newcomers = 0

    /// - Parameter days: for how many days it is known which customers asked.
    init(stages: Int, days: Int) {
        passed = Array(repeating: 0, count: stages + 1)
        asked = Array(repeating: 0, count: days)
    }

    /// The number of customers that fit, as far as the stored data shows.
    ///
    /// The true number may be lower, because the audience may also have conditions on attributes, which only callers know.
    package var matching: Int { passed.last! }

    /// Counts one more customer.
    ///
    /// - Parameter facts: nil if what is stored about the customer cannot be read.
    mutating func add(_ customerID: String, _ facts: CustomerFacts?, _ funnel: AudienceFunnel, _ asking: AskingCustomers) {
        customers += 1
        let firstDay = asking.firstDay(of: customerID, in: asked.count)
        if firstDay != nil { storedAsking += 1 }
        guard let facts else {
            unreadable += 1
            passed[0] += 1
            return
        }
        let stages = funnel.passes(facts)
        for stage in 0...stages { passed[stage] += 1 }
        if stages == funnel.stages.count {
            if let firstDay { asked[firstDay] += 1 }
            if sample.count < Self.sampleSize { sample.append(Sampled(customerID, facts, funnel, [])) }
        } else if misses.count < Self.nearMisses {
            let obstacles = funnel.obstacles(facts)
            if obstacles.count == 1 { misses.append(Sampled(customerID, facts, funnel, obstacles)) }
        }
    }

    /// Adds the count of other customers.
    mutating func add(_ other: AudienceCount) {
        customers += other.customers
        unreadable += other.unreadable
        storedAsking += other.storedAsking
        for stage in passed.indices { passed[stage] += other.passed[stage] }
        for day in asked.indices { asked[day] += other.asked[day] }
        sample = Array((sample + other.sample).prefix(Self.sampleSize))
        misses = Array((misses + other.misses).prefix(Self.nearMisses))
    }
}

extension AudienceCount.Sampled {
    fileprivate init(_ customerID: String, _ facts: CustomerFacts, _ funnel: AudienceFunnel, _ obstacles: [Int]) {
        self.customerID = customerID
        self.obstacles = obstacles
        reasons = funnel.stages.map { $0.trace(facts).tests.map(\.words).joined(separator: "; ") }
    }
}

extension ConditionTrace {
    /// The tests in it, in the order in which they were written.
    fileprivate var tests: [ConditionTrace] { if case .test = kind { [self] } else { parts.flatMap(\.tests) } }
}
