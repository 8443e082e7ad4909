import Testing

@testable import EligibilityRules

@Suite("Gist of a history")
struct SummaryTests {
    private static let parts = (0..<10 as Range<UInt64>).map { part -> Range<UInt64> in part * 1000..<part * 1000 + 1000 }

    /// All of a chain, without what a gist leaves out of each transaction.
    private static func bare(_ chain: PurchaseChain) -> PurchaseChain {
        var bare = chain.with(transactions: chain.transactions.map(\.summary))
        bare.isListedFromStart = chain.showsFirstPeriod
        return bare
    }

    @Test("From its instant on, every rule says of the gist what it says of the whole", arguments: parts)
    func sameDecisions(seeds: Range<UInt64>) {
        for seed in seeds {
            var source = RandomStatements(seed: seed)
            let history = source.all().reduce(PurchaseHistory()) { $0.merged(with: $1) }
            let bare = PurchaseHistory(history.chains.map(Self.bare))
            for month in [2, 5, 7] {
                let instant = Month.start(month)
                let summary = PurchaseHistory(history.chains.map { $0.summary(from: instant) })
                for later in [month, month + 1, month + 4] {
                    for policy in [EligibilityPolicy(), EligibilityPolicy(familySharedCountsAsOwn: true)] {
                        let now = Month.start(later, day: later == month ? 0 : 7)
                        guard Decisions(summary, policy: policy, at: now) == Decisions(bare, policy: policy, at: now) else {
                            Issue.record("seed \(seed), from month \(month), at month \(later): \(history) became \(summary)")
                            return
                        }
                    }
                }
            }
        }
    }

    @Test("Facts that are said to be in the gist are what they are in the whole", arguments: parts)
    func sameFacts(seeds: Range<UInt64>) {
        let facts = ConditionFact.allCases.filter(\.isInSummary)
        let groups = [nil, Shop.group, "other"].map { $0.map(ExactText.init) }
        let references = facts.flatMap { fact in
            groups.filter { ($0 != nil || !fact.needsGroup) && ($0 == nil || fact.takesGroup) }
                .map { FactReference(fact: fact, group: $0) }
        }
        func values(_ history: PurchaseHistory, at now: Instant) -> [ConditionValue?] {
            let customer = Customer(
                history: history, completeness: .complete, catalogue: Shop.catalogue, policy: EligibilityPolicy(), now: now)
            let facts = CustomerFacts(of: customer, historyUpdatedAt: nil)
            return references.map(facts.value)
        }
        for seed in seeds {
            var source = RandomStatements(seed: seed)
            let history = source.all().reduce(PurchaseHistory()) { $0.merged(with: $1) }
            for month in [2, 5, 7] {
                let subscriptions = history.chains.filter(\.concernsSubscriptions)
                let summary = PurchaseHistory(subscriptions.map { $0.summary(from: Month.start(month)) })
                for later in [month, month + 1, month + 4] {
                    let now = Month.start(later, day: later == month ? 0 : 7)
                    let (of, all) = (values(summary, at: now), values(history, at: now))
                    guard of == all else {
                        let differing = zip(references, zip(of, all)).filter { $1.0 != $1.1 }
                        Issue.record("seed \(seed), from month \(month), at month \(later): \(differing)")
                        return
                    }
                }
            }
        }
    }

    @Test("The gist of a year of monthly renewals has two periods")
    func size() {
        let periods = (0..<12).map { month in
            PurchaseTransaction(
                id: "\(month)", productID: "monthly", purchasedAt: Month.start(month),
                terms: .init(offer: month == 0 ? RedeemedOffer(kind: .introductory) : nil),
                state: .init(expiry: Stamped(Month.start(month + 1), Stamp(asOf: Month.start(12), source: .receipt))))
        }
        let chain = PurchaseChain(originalID: "0", groupID: "main", transactions: periods)
        #expect(chain.summary(from: Month.start(13)).transactions.map(\.id) == ["0", "11"])
    }
}
