import EligibilityRules
import TestRandomness
import Testing

@Suite("Conversion rule")
struct ConversionRuleTests {
    @Test(
        "What counts as success",
        arguments: OutcomeRow.subscribed + OutcomeRow.retained + OutcomeRow.redeemed + OutcomeRow.convertedToPaid)
    func outcomes(row: OutcomeRow) {
        let outcome = row.outcome()
        #expect(outcome.words == row.expected)
        #expect((outcome.redeemedAt != nil) == row.isRedeemed)
        #expect(outcome.isMatured && outcome.windowEndsAt == OutcomeRow.windowEnd)
    }

    @Test("A renewal counts with an offer and without: the control can do all that a variant can")
    func sameForControl() {
        for row in OutcomeRow.subscribed + OutcomeRow.retained + OutcomeRow.convertedToPaid {
            let rule = ConversionRule(CampaignGoal(metric: row.metric), EligibilityPolicy(), catalogue: Shop.catalogue)
            let control = rule.outcome(
                of: PurchaseHistory(row.chains.map(\.purchases)), exposedAt: OutcomeRow.exposedAt, offers: [], now: Month.now)
            #expect(control.words == row.expected, "\(row)")
        }
    }

    @Test("What the family shares is the customer's own where the app says so, and no customer's revenue")
    func familyShared() {
        let priced = Chain("o1").adding(4, "monthly", from: 10).shared.changingLast {
            $0.sale = Sale(price: 9990, currency: "USD")
        }
        let outcome = OutcomeRow("shares", .subscribed, priced, gives: "10")
            .outcome(EligibilityPolicy(familySharedCountsAsOwn: true))
        #expect(outcome.words == "10" && outcome.paid.payments.isEmpty && !outcome.paid.hasUnknownPrice)
    }

    @Test("Until the window is over the unit is open, and what begins later is not looked at")
    func openWindow() {
        let back = OutcomeRow("comes back", .subscribed, Chain("o1").adding(4, "monthly", from: 10), gives: "10")
        let early = back.outcome(now: Month.start(4, day: 9))
        #expect(!early.isMatured && early.words == "no")
        let later = back.outcome(now: Month.start(4, day: 11))
        #expect(!later.isMatured && later.words == "10")
        #expect(back.outcome(now: OutcomeRow.windowEnd).isMatured)
        let running = OutcomeRow("runs", .retained, Chain("o1").period(4), gives: "19")
        #expect(running.outcome(now: Month.start(4, day: 18)).words == "no")
        #expect(running.outcome(now: OutcomeRow.windowEnd).words == "19")
    }

    @Test("One of Apple's own retention offers is recognised, and is not a redemption of ours")
    func retentionOffer() {
        let apples = RedeemedOffer(kind: .retention, id: "half")
        let row = OutcomeRow(
            "takes Apple's", .redeemed, Chain("o1").adding(3, "monthly", from: 10).adding(4, "monthly", apples, from: 10),
            gives: "no")
        #expect(row.outcome().hasRetentionOffer && row.outcome().words == "no" && row.outcome().redeemedAt == nil)
    }

    @Test("Payments are added up by currency: refunds are off, what is free is 0, an unknown price is reported")
    func payments() {
        func priced(_ price: Int64?, _ currency: String?, day: Int64, discount: String? = nil) -> Chain {
            Chain("o\(day)").adding(4, "monthly", from: day).changingLast {
                $0.sale = Sale(price: price, currency: currency, discount: discount)
            }
        }
        func outcome(_ chains: [Chain]) -> UnitOutcome {
            ConversionRule(CampaignGoal(), EligibilityPolicy(), catalogue: Shop.catalogue).outcome(
                of: PurchaseHistory(chains.map(\.purchases)), exposedAt: OutcomeRow.exposedAt, offers: [], now: Month.now)
        }
        let paid = [priced(9990, "USD", day: 6), priced(4990, "USD", day: 7), priced(8000, "EUR", day: 8)]
        let expected = [
            UnitOutcome.Payment(currency: "EUR", amount: 8000), UnitOutcome.Payment(currency: "USD", amount: 14_980),
        ]
        #expect(outcome(paid).paid.payments == expected && !outcome(paid).paid.hasUnknownPrice)
        let rest = [
            priced(7770, "USD", day: 9).refunded(in: 5), priced(5550, "USD", day: 20),
            priced(nil, nil, day: 10, discount: Sale.freeTrial),
        ]
        #expect(outcome(paid + rest).paid.payments == expected && !outcome(paid + rest).paid.hasUnknownPrice)
        #expect(outcome([priced(nil, "USD", day: 9)]).paid.hasUnknownPrice)
        #expect(outcome([Chain("o1").adding(4, "monthly", from: 9)]).paid.hasUnknownPrice)
    }

    @Test("Retained is who eligibility calls active at the window's end, and who is not refunded afterwards")
    func retainedIsActive() {
        let rule = ConversionRule(CampaignGoal(metric: .retained), EligibilityPolicy(), catalogue: Shop.catalogue)
        var (retained, replaced, refunded) = (0, 0, 0)
        for seed in 0..<6000 as Range<UInt64> {
            let life = RandomLife(seed: seed).history
            let exposedAt = Month.start(1, day: Int64(seed % 120))
            let end = rule.goal.window.after(exposedAt)
            let customer = Customer(
                history: life, completeness: .complete, catalogue: Shop.catalogue, policy: EligibilityPolicy(), now: end)
            let isActive = customer.ownStatus.state == .active
            let outcome = rule.outcome(of: life, exposedAt: exposedAt, offers: [], now: end)
            #expect((outcome.convertedAt != nil) == isActive, "seed \(seed)")
            if isActive { retained += 1 }
            let hasTime = life.chains.contains { chain in
                chain.environment == .production && chain.transactions.contains { $0.isOwn && $0.covers(end) }
            }
            if hasTime, !isActive { replaced += 1 }
            let later = rule.outcome(of: life, exposedAt: exposedAt, offers: [], now: Month.start(30))
            #expect(later.convertedAt == nil || isActive, "seed \(seed)")
            if isActive, later.convertedAt == nil {
                refunded += 1
                #expect(later.isRefunded, "seed \(seed)")
            }
        }
        #expect(retained > 1000 && replaced > 40 && refunded > 40, "\(retained), \(replaced), \(refunded) show nothing")
    }

    @Test("Statements in any order give the same outcome", arguments: CampaignGoal.Metric.allCases)
    func orderIndependence(metric: CampaignGoal.Metric) {
        let rule = ConversionRule(CampaignGoal(metric: metric), EligibilityPolicy(), catalogue: Shop.catalogue)
        var converted = 0
        for seed in 0..<4000 as Range<UInt64> {
            var source = RandomStatements(seed: seed)
            var statements = source.all()
            var random = SplitMix64(seed: ~seed)
            func outcome(_ now: Instant) -> UnitOutcome {
                let history = statements.reduce(PurchaseHistory()) { $0.merged(with: $1) }
                return rule.outcome(of: history, exposedAt: Month.start(3, day: 25), offers: [OutcomeRow.half], now: now)
            }
            let now = random.any(of: [Month.start(3, day: 27), Month.start(4, day: 20), Month.now])
            let expected = outcome(now)
            if expected.convertedAt != nil { converted += 1 }
            statements.shuffle(using: &random)
            guard outcome(now) == expected else {
                Issue.record("seed \(seed)")
                return
            }
        }
        // Few random statements name an offer of ours.
        #expect(converted > (metric == .redeemed ? 1 : 100), "too few convert to show anything")
    }
}

extension PurchaseTransaction {
    /// Whether its own period contains an instant, whatever follows it.
    fileprivate func covers(_ instant: Instant) -> Bool {
        guard let end = expiry?.value, revokedAt.map({ $0 > instant }) ?? true else { return false }
        return purchasedAt <= instant && end > instant
    }
}
