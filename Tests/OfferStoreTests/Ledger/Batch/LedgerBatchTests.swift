import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@Suite("What a batch of submissions becomes")
struct LedgerBatchTests {
    private let hash = LimitHash(SipHash(key: Array(0..<16)))
    private let start = Instant(milliseconds: 1_000)

    /// Decides about submissions that come in one transaction, on a store that has some facts.
    private func decide(_ submissions: [LedgerSubmission], _ facts: (inout LedgerFacts) -> Void = { _ in }) -> LedgerDecision {
        let batch = LedgerBatch([submissions], hash)
        var found = LedgerFacts()
        facts(&found)
        return batch.decide(found)
    }

    private func take(_ name: String, _ terms: LimitTerms) -> LedgerSubmission {
        let nonce = UUID()
        let reservation = Reservation(
            scope: .sample, rule: .uses(terms), names: .sample([name]), madeAt: start,
            expiresAt: start.advanced(by: Reservation.lifetime), nonce: nonce)
        return LedgerSubmission(.sample(nonce: nonce), reservations: [reservation])
    }

    private func take(total max: Int) -> LedgerSubmission {
        let nonce = UUID()
        let reservation = Reservation(
            scope: .sample, rule: .total(max, countsRefunded: true), names: .sample(["t"]), madeAt: start,
            expiresAt: start.advanced(by: 10), nonce: nonce)
        return LedgerSubmission(.sample(nonce: nonce), reservations: [reservation])
    }

    @Test("Of two nonces of a series in one batch the first is taken, and so is none of a series that was used before")
    func nonces() {
        let (first, second, third) = (UUID(), UUID(), UUID())
        let batch = [first, second, first, third].map { LedgerSubmission(.sample(nonce: $0)) }
        let decision = decide(batch) { $0.series = [second.series] }
        #expect(decision.outcomes == [[.recorded, .nonceReplayed(second), .nonceReplayed(first), .recorded]])
        #expect(LedgerBatch([batch], hash).keys.series.map(\.number) == [first, second, first, third].map(\.series))
    }

    @Test("An answer of the batch is given once more, and what it kept from being recorded takes nothing")
    func answers() {
        let nonce = UUID()
        let entry = LedgerEntry.sample(nonce: nonce)
        let twins = (0..<2).map { _ in LedgerSubmission(entry, idempotency: .sample(key: "k")) }
        let decision = decide(twins + [LedgerSubmission(.sample(nonce: nonce))])
        #expect(decision.outcomes == [[.recorded, .answeredBefore(Array("answer 1".utf8)), .nonceReplayed(nonce)]])
    }

    @Test("A campaign holds a unit for those who come later in the batch")
    func holds() {
        func show(_ campaign: String, replacing: String? = nil) -> LedgerSubmission {
            LedgerSubmission(nil, exposures: [.sample("u", of: campaign, group: "g", replacing: replacing)])
        }
        let key = HoldKey(partition: "com.example.app", group: "g", unitKind: .customer, unit: "u")
        let decision = decide([show("a"), show("b"), show("b", replacing: "a"), show("a"), show("b")])
        #expect(decision.outcomes[0].map { $0 == .recorded } == [true, false, true, false, true])
        #expect(decision.holders == [key: "b"])
        #expect(decide([show("a")]) { $0.holders = [key: "a"] }.holders == [:])
        #expect(decide([show("b")]) { $0.holders = [key: "a"] }.outcomes[0][0].limits == ["g"])
    }

    @Test("What the batch has taken for a customer counts")
    func uses() {
        let once = LimitTerms(outstanding: 1)
        let outcomes = decide([take("ann", once), take("ann", once), take("bob", once)]).outcomes[0]
        #expect(outcomes.map(\.limits) == [[], ["ann"], []])
        // Of the store's, one that has lapsed does not count, nor does one twice.
        let lapsed = OutstandingSignature(id: 4, until: start)
        let other = OutstandingSignature(id: 5, until: start.advanced(by: 1))
        let twice = decide([take("ann", LimitTerms(outstanding: 2))]) {
            $0.uses[hash("ann")] = LimitUses(outstanding: [lapsed, other, other])
        }
        #expect(twice.outcomes == [[.recorded]])
    }

    @Test("A total gives as many as it has left, and says when the first lapses")
    func totals() {
        let decision = decide((0..<4).map { _ in take(total: 3) }) {
            $0.totals[hash("t")] = LimitTotal(outstanding: 1, redeemed: 1, firstUntil: start.advanced(by: 5))
        }
        #expect(decision.outcomes[0].map { $0 == .recorded } == [true, false, false, false])
        #expect(decision.places.added == [hash("t"): 1])
        let evidence = LimitEvidence(.total, max: 3, counted: 3, freesAt: start.advanced(by: 5))
        #expect(decision.outcomes[0][1] == .limited([LimitFinding("t", .usedUp(evidence))]))
        // Two of three are asked for: from one on it matters what has lapsed.
        #expect(LedgerBatch([[take(total: 3), take(total: 9)]], hash).keys.totals == [hash("t"): 1])
    }

    @Test("A redemption takes the place of its signature, and what is older than known changes nothing")
    func redemption() throws {
        let redemption = CountedRedemption(
            partition: "app", transactionID: "1", version: 2, total: "t", names: ["ann"], redeemedAt: start, isRefunded: true,
            nonce: UUID())
        let signature = RedemptionCount<Int>.Signature(
            until: start, names: LimitNames([hash("ann"), hash("old name")], staying: [hash("campaign ann")]),
            totals: LimitNames([hash("t")], staying: [hash("campaign")]), held: [hash("campaign")])
        let later = RedemptionCount<Int>.Signature(
            until: start, names: LimitNames([hash("ann")]), totals: LimitNames([hash("t")]), held: [hash("t")])
        let other = RedemptionCount<Int>.Signature(
            until: start, names: LimitNames([hash("bob")]), totals: LimitNames([hash("t")]), held: [hash("t")])
        let outstanding = [1: signature, 2: later, 3: other]
        let count = try #require(
            RedemptionCount(redemption, known: nil, redeemed: 1, outstanding: outstanding, hash))
        #expect(count.redeemed == 1 && count.released == [2: [hash("t")]])
        #expect(count.names == LimitNames([hash("ann")], staying: [hash("old name"), hash("campaign ann")]))
        #expect(
            count.totals == [
                hash("t"): LimitTotal(outstanding: -1, redeemed: 1, refunded: 1),
                hash("campaign"): LimitTotal(outstanding: -1, redeemed: 1),
            ])
        let known = KnownRedemption(version: 1, names: count.names, isRefunded: true)
        let again = try #require(
            RedemptionCount(redemption, known: known, redeemed: 1, outstanding: [2: later], hash))
        #expect(again.names == count.names && again.formerNames == count.names.keys)
        #expect(again.redeemed == nil && again.released == [:] && again.totals == [hash("t"): LimitTotal()])
        let newest = KnownRedemption(version: 2, names: count.names, isRefunded: false)
        #expect(RedemptionCount(redemption, known: newest, redeemed: 1, outstanding: outstanding, hash) == nil)
    }
}
