import EligibilityRules
import Testing

@Suite("Gist of a history")
struct GistTests {
    private static let parts = (0..<10 as Range<UInt64>).map { part -> Range<UInt64> in part * 1000..<part * 1000 + 1000 }

    @Test("From its instant on, every rule says of the gist what it says of the whole", arguments: parts)
    func sameDecisions(seeds: Range<UInt64>) {
        for seed in seeds {
            var source = RandomStatements(seed: seed)
            let history = source.all().reduce(PurchaseHistory()) { $0.merged(with: $1) }
            for month in [2, 5, 7] {
                let instant = Month.start(month)
                let gist = PurchaseHistory(history.chains.map { $0.gist(from: instant) })
                for later in [month, month + 1, month + 4] {
                    for policy in [EligibilityPolicy(), EligibilityPolicy(familySharedCountsAsOwn: true)] {
                        let now = Month.start(later, day: later == month ? 0 : 7)
                        guard Decisions(gist, policy: policy, at: now) == Decisions(history, policy: policy, at: now) else {
                            Issue.record("seed \(seed), from month \(month), at month \(later): \(history) became \(gist)")
                            return
                        }
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
                offer: month == 0 ? RedeemedOffer(kind: .introductory) : nil,
                expiry: Stamped(Month.start(month + 1), Stamp(asOf: Month.start(12), source: .receipt)))
        }
        let chain = PurchaseChain(originalID: "0", groupID: "main", transactions: periods)
        #expect(chain.gist(from: Month.start(13)).transactions.map(\.id) == ["0", "11"])
    }
}
