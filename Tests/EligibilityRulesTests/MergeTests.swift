import EligibilityRules
import TestRandomness
import Testing

@Suite("Merging")
struct MergeTests {
    /// Ten thousand cases in ten parts.
    private static let parts = (0..<10 as Range<UInt64>).map { part -> Range<UInt64> in part * 1000..<part * 1000 + 1000 }

    @Test("Neither order, repetition nor grouping of statements makes a difference", arguments: parts)
    func orderIndependence(seeds: Range<UInt64>) {
        for seed in seeds {
            var source = RandomStatements(seed: seed)
            let statements = source.all()
            var random = SplitMix64(seed: ~seed)
            let merged = statements.reduce(PurchaseHistory()) { $0.merged(with: $1) }
            let decisions = Decisions(merged)
            for _ in 0..<2 {
                var others = statements + statements.filter { _ in random.once(in: 3) }
                others.shuffle(using: &random)
                for other in [grouped(others[...], &random), PurchaseHistory(others.flatMap(\.chains))] {
                    guard other == merged, Decisions(other) == decisions else {
                        Issue.record("seed \(seed): \(other) is not \(merged)")
                        return
                    }
                }
            }
            #expect(merged.merged(with: merged) == merged, "seed \(seed)")
        }
    }

    @Test("The random histories reach every state, status and most reasons")
    func reach() {
        var decisions: Set<Decisions> = []
        for seed in 0..<2000 as Range<UInt64> {
            var source = RandomStatements(seed: seed)
            decisions.insert(Decisions(source.all().reduce(PurchaseHistory()) { $0.merged(with: $1) }))
        }
        #expect(Set(decisions.map(\.subscription.state)) == Set(SubscriptionState.allCases))
        #expect(Set(decisions.map(\.introductory.status)) == [.eligible, .ineligible, .unknown])
        #expect(Set(decisions.map(\.promotional.status)) == [.eligible, .ineligible, .unknown])
        #expect(Set(decisions.map(\.winBackOffers)).count > 3)
        #expect(Set(decisions.flatMap { $0.introductory.reasons + $0.promotional.reasons }).count >= 14)
    }

    @Test("A signed offer wins over a receipt's bare trial", arguments: RedeemedOffer.Kind.allCases)
    func offer(kind: RedeemedOffer.Kind) {
        func statement(_ offer: RedeemedOffer?) -> PurchaseTransaction {
            PurchaseTransaction(id: "1", productID: "p", purchasedAt: Month.start(1), terms: .init(offer: offer))
        }
        let (named, bare) = (RedeemedOffer(kind: kind, id: kind == .introductory ? nil : "x"), RedeemedOffer(kind: .introductory))
        for (first, second) in [(named, bare), (bare, named), (named, nil), (nil, named)] {
            #expect(statement(first).merged(with: statement(second)).offer == named)
        }
    }

    @Test("The later statement wins, then the better source")
    func precedence() {
        let early = Stamp(asOf: Month.start(1), source: .signedData)
        let late = Stamp(asOf: Month.start(2), source: .notificationV1)
        let lateReceipt = Stamp(asOf: Month.start(2), source: .receipt)
        func expiry(_ stamps: [(Stamp, Instant)]) -> Instant? {
            let histories = stamps.map { stamp, end in
                PurchaseHistory([
                    PurchaseChain(
                        originalID: "o1",
                        transactions: [
                            PurchaseTransaction(
                                id: "o1", productID: "p", purchasedAt: Month.start(1), state: .init(expiry: Stamped(end, stamp)))
                        ])
                ])
            }
            return histories.reduce(PurchaseHistory()) { $0.merged(with: $1) }.chains[0].transactions[0].expiry?.value
        }
        #expect(expiry([(late, Month.start(2)), (early, Month.start(9))]) == Month.start(2))
        #expect(expiry([(lateReceipt, Month.start(3)), (late, Month.start(9))]) == Month.start(3))
        #expect(expiry([(late, Month.start(3)), (late, Month.start(4))]) == Month.start(4))
    }

    private func grouped(_ statements: ArraySlice<PurchaseHistory>, _ random: inout SplitMix64) -> PurchaseHistory {
        guard statements.count > 1 else { return statements.first ?? PurchaseHistory() }
        let middle = statements.startIndex + 1 + Int(random.next() % UInt64(statements.count - 1))
        return grouped(statements[..<middle], &random).merged(with: grouped(statements[middle...], &random))
    }
}
