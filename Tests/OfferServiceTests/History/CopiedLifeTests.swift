import AppStore
import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Synchronization
import Testing

@testable import OfferService

@Suite("Purchases under several transaction ids")
struct CopiedLifeTests {
    /// Three hundred lives in ten parts.
    private static let parts = (0..<10 as Range<UInt64>).map { part -> Range<UInt64> in part * 30..<part * 30 + 30 }

    @Test(
        "Verdicts, facts, limits, revenue, timeline and events are those of the life under one id each", arguments: parts)
    func sameLife(seeds: Range<UInt64>) async throws {
        for seed in seeds {
            var life = CopiedLife(seed: seed)
            let orders = [life.order(), life.order(), life.order()]
            let store = TemporaryStore(keepsEvents: true)
            defer { withExtendedLifetime(store) {} }
            let nonces = try await Self.sign(life, store.ledger)
            func record(_ number: Int, _ order: [Int], _ naming: CopiedLife.Naming) async throws -> Record {
                try await Record(of: life, order, naming, in: store, Record.app(Self.bundleIDs[number]), nonces)
            }
            let expected = try await record(0, orders[0], .one)
            for (number, order) in orders.enumerated() {
                let found = try await record(number + 1, order, .many)
                guard found.lines == expected.lines else {
                    let difference = found.lines.difference(from: expected.lines).map { "\($0)" }.joined(separator: "\n")
                    Issue.record("seed \(seed):\n\(difference)")
                    return
                }
                // A period that had lapsed lapses once more after the reversal of its refund.
                let once = found.events.filter { !$0.hasPrefix("lapsed") }
                #expect(Set(once).count == once.count, "seed \(seed): \(once)")
                // When a refund becomes known depends on the documents that show it.
                if order == orders[0], life.showsRefundsEverywhere { #expect(found.events == expected.events, "seed \(seed)") }
            }
        }
    }

    /// The apps of one life: of the one under one id each, and of those in the other orders.
    private static let bundleIDs = (0..<4).map { "com.example.app\($0)" }

    /// Signs an offer in each app shortly before each purchase that redeems one. Returns the places of the purchases.
    private static func sign(_ life: CopiedLife, _ ledger: any Ledger) async throws -> [UUID: Int] {
        var nonces: [UUID: Int] = [:]
        var submissions: [LedgerSubmission] = []
        for (place, purchase) in life.purchases.enumerated() {
            guard let offer = purchase.offer, offer != "trial" else { continue }
            for bundleID in bundleIDs {
                let signature = LedgerSignature(
                    nonce: UUID(), productID: purchase.product, offerID: offer, digest: [UInt8](repeating: 0, count: 32))
                nonces[signature.nonce] = place
                let entry = LedgerEntry.sample(
                    signatures: [signature], at: purchase.start.milliseconds - 60_000, app: AppPartition(bundleID: bundleID))
                submissions.append(LedgerSubmission(entry))
            }
        }
        _ = try await ledger.record(submissions)
        return nonces
    }

    @Test("The lives have copies of trials, redemptions, upgrades, seats, refunds and their reversals")
    func reach() {
        let lives = (0..<300 as Range<UInt64>).map { CopiedLife(seed: $0) }
        let copied = lives.flatMap(\.purchases).filter { $0.ids.count > 1 }
        #expect(copied.count > 300 && lives.flatMap(\.purchases).contains { $0.ids.count == 1 })
        #expect(copied.count { $0.offer == "trial" } > 10 && copied.count { $0.offer == "half" } > 50)
        #expect(copied.count { $0.addsSeats } > 20)
        #expect(copied.count { $0.upgradedAt != nil && $0.refund != nil && $0.refund?.reversedAt == nil } > 10)
        #expect(copied.count { $0.refund?.reversedAt != nil } > 10)
        #expect(copied.count { purchase in purchase.refund.map { $0.ids.count < purchase.ids.count } ?? false } > 50)
    }
}

/// All that the service says of a life, once it has heard of it. Purchases are named by their place in the life.
private struct Record {
    private static let customer = "kunde-ä"
    private static let day: Int64 = 24 * 3_600_000

    let lines: [String]
    /// The changes that make events, in order.
    let events: [String]

    /// - Parameters:
    ///   - app: has no other life in the store.
    ///   - nonces: of the signatures, with the places of the purchases that redeem them.
    init(
        of life: CopiedLife,
        _ order: [Int],
        _ naming: CopiedLife.Naming,
        in store: TemporaryStore,
        _ app: App,
        _ nonces: [UUID: Int]
    ) async throws {
        let (histories, ledger, redemptions) = (store.histories, store.ledger, store.redemptions)
        _ = try await Self.collected(store)
        let counter = RedemptionCounter(
            redemptions: redemptions, ledger: ledger, apps: AppDirectory([app]),
            system: ManualClock(life.now.milliseconds).environment)
        var lines: [String] = []
        for document in order {
            let chains = try life.chains(document, naming)
            _ = try await histories.apply(.sample(chains, of: Self.customer, app: app.partition, at: life.now))
            await counter.count(chains, partition: app.partition)
        }
        _ = try await redemptions.tieRedemptions(limit: 100, now: life.now)
        while try await counter.count(limit: 100) > 0 {}

        let name = { (id: String?) in life.place(of: id).map { "purchase \($0)" } ?? "none" }
        for id in [CopiedLife.original] + (naming == .many ? life.purchases.flatMap(\.ids) : []) {
            let known = try await histories.find(.sample(transaction: id, app: app.partition))
            // An id of which no document tells leads nowhere.
            if known.isSupplied { #expect(known.customerID == Self.customer) }
        }
        let stored = try await histories.find(.sample(customer: Self.customer, app: app.partition))
        for days in [0, 2, 40] as [Int64] {
            let customer = Customer(stored, of: app, now: life.now.advanced(by: days * Self.day))
            let assessment = Assessment(
                of: customer, on: ["pro", "premium"].map { app.catalogue.product($0)! }, historyUpdatedAt: nil)
            for product in assessment.products {
                let status = product.subscription
                lines.append("state \(status.state) \(name(status.transaction?.id)) \(String(describing: status.willRenew))")
                for verdict in [product.introductoryOffer, product.promotionalOffers] {
                    lines.append("verdict \(verdict.status) \(verdict.reasons) \(name(verdict.transactionID))")
                }
            }
        }
        let whole = try await histories.wholeHistory(of: .sample(customer: Self.customer, app: app.partition))
        lines += Self.facts(Customer(whole, of: app, now: life.now), name)
        lines += Self.outcomes(whole.history, life, app)
        lines += CustomerTimeline(of: whole.history.chains, now: life.now).events
            .map { "\($0.at.milliseconds) \($0.kind) \(name($0.transaction?.id))" }.sorted()
        lines += try await Self.limits(life, ledger, app)
        let redeemed = whole.history.chains.flatMap(\.transactions).filter { $0.offer?.kind == .promotional }
        let tied = try await redemptions.nonces(redeemedBy: redeemed, partition: app.partition)
        lines += redeemed.map { purchase in
            "tied \(name(purchase.id)) \(tied[ExactText(purchase.id)].flatMap { nonces[$0] } ?? -1)"
        }
        self.lines = lines
        events = try await Self.collected(store).map { event in
            "\(event.kind) \(event.at.milliseconds) \(name(event.transactionID)) \(event.offerID ?? "")"
        }
    }

    /// The changes since the last call.
    private static func collected(_ store: TemporaryStore) async throws -> [PurchaseEvent] {
        let events = Mutex<[PurchaseEvent]>([])
        _ = try await store.events.collect(
            limit: 10_000, for: [EventSubscription(endpoint: "shop", types: ["*"])], now: .testNow
        ) { source in
            if case .purchase(let event) = source { events.withLock { $0.append(event) } }
            return []
        }
        return events.withLock { $0 }
    }

    static func app(_ bundleID: String) -> App {
        let offers = ["half", "third"].map { (ExactText($0), SubscriptionOffer(kind: .payUpFront, period: "P1M")) }
        let products = [("pro", 2), ("premium", 1)].map { id, level in
            SubscriptionProduct(
                id: id, groupID: "1", level: level, period: "P1M",
                introductoryOffer: SubscriptionOffer(kind: .freeTrial, period: "P1W"),
                promotionalOffers: Dictionary(uniqueKeysWithValues: offers))
        }
        return App(
            identity: AppIdentity(bundleID: bundleID, appAppleID: 42, environment: .production),
            rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(), catalogue: Catalogue(products: products))
    }

    private static func facts(_ customer: Customer, _ name: (String?) -> String) -> [String] {
        let facts = CustomerFacts(of: customer, historyUpdatedAt: nil)
        var lines = [
            "purchases \(facts.purchases) \(String(describing: facts.firstPurchaseAt)) \(String(describing: facts.lastPurchaseAt))"
        ]
        for group in facts.subscriptions {
            lines.append("paid \(group.paidPeriods), days \(group.daysSubscribed), from start \(group.isKnownFromStart)")
            lines.append("since \(String(describing: group.since)), until \(String(describing: group.until))")
            lines.append(
                "introductory \(String(describing: group.introductoryOfferUsed)) \(name(group.introductoryPurchase?.id))")
        }
        lines += facts.redemptions.map { "redeemed \($0.offer) \(name($0.transaction.id)) \($0.periods)" }
        lines += facts.refunds.map { "refunded \(name($0.id)) \($0.revokedAt!.milliseconds)" }.sorted()
        return lines
    }

    private static func outcomes(_ history: PurchaseHistory, _ life: CopiedLife, _ app: App) -> [String] {
        CampaignGoal.Metric.allCases.flatMap { metric in
            let rule = ConversionRule(
                CampaignGoal(metric: metric, window: CalendarPeriod("P5D")!), app.policy, catalogue: app.catalogue)
            return ([-1, 4, 10] as [Int64]).map { days in
                let outcome = rule.outcome(
                    of: history, exposedAt: CopiedLife.start.advanced(by: days * day),
                    offers: ["half", "third"].map { CampaignVariant.Offer(productID: "pro", offerID: $0) }, now: life.now)
                return "\(metric) \(outcome)"
            }
        }
    }

    /// The counted redemptions of each offer: of the customer, and in all, with and without refunded ones.
    private static func limits(_ life: CopiedLife, _ ledger: any Ledger, _ app: App) async throws -> [String] {
        var asked: [(words: String, submission: LedgerSubmission)] = []
        for (product, offer) in [("pro", "half"), ("pro", "third"), ("premium", "half"), ("premium", "third")] {
            let scope = LimitScope(bundleID: app.identity.bundleID, environment: .production, productID: product, offerID: offer)
            for countsRefunded in [true, false] {
                let rules: [(Reservation.Rule, LimitName)] = [
                    (
                        .uses(LimitTerms(redeemed: 0, countsRefunded: countsRefunded)),
                        LimitName(.subscription, CopiedLife.original)
                    ),
                    (.total(0, countsRefunded: countsRefunded), .total),
                ]
                asked += rules.map { rule, limitName in
                    let reservation = Reservation(
                        scope: scope, rule: rule, names: [limitName], madeAt: life.now, expiresAt: life.now.advanced(by: 1000),
                        nonce: UUID())
                    return ("limit \(product) \(offer) \(countsRefunded) \(limitName.kind)", .sample(taking: [reservation]))
                }
            }
        }
        return try zip(asked, try await ledger.record(asked.map(\.submission))).map { asked, outcome in
            guard case .limited(let findings) = outcome, case .usedUp(let evidence)? = findings.first?.reason else {
                throw CancellationError()
            }
            return "\(asked.words): \(evidence.counted)"
        }
    }
}
