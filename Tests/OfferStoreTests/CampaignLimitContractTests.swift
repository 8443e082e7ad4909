import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Limit contract: what stays with a redemption, and what is only looked at")
struct CampaignLimitContractTests {
    private static let day: Int64 = 86_400_000

    private func at(_ days: Int64) -> Instant { Instant(milliseconds: days * Self.day) }

    /// What a signature takes: of its offer, and of the campaign that chose it.
    private func taken(_ nonce: UUID, _ unit: String, at days: Int64, of total: Int = 9, _ campaign: String = "campaign")
        -> [Reservation]
    {
        func reservation(_ name: String, _ rule: Reservation.Rule, stays: Bool) -> Reservation {
            Reservation(
                scope: .sample, rule: rule, names: .sample([name]), madeAt: at(days), expiresAt: at(days + 1), nonce: nonce,
                staysWithRedemption: stays)
        }
        return [
            reservation("offer \(unit)", .uses(LimitTerms(redeemed: 9)), stays: false),
            reservation("offer", .total(99, countsRefunded: true), stays: false),
            reservation("\(campaign) \(unit)", .uses(LimitTerms(redeemed: 1, per: CalendarPeriod("P30D"))), stays: true),
            reservation(campaign, .total(total, countsRefunded: true), stays: true),
        ]
    }

    private func redemption(_ nonce: UUID?, _ unit: String, at days: Int64, version: Int64 = 1, isRefunded: Bool = false)
        -> CountedRedemption
    {
        CountedRedemption(
            partition: "com.example.app", transactionID: "t-\(unit)", version: version, total: "offer", names: ["offer \(unit)"],
            redeemedAt: at(days), isRefunded: isRefunded, nonce: nonce)
    }

    private func sign(_ ledger: any Ledger, _ unit: String, at days: Int64, of total: Int = 9) async throws -> (
        LedgerOutcome, UUID
    ) {
        let nonce = UUID()
        let submission = LedgerSubmission(.sample(nonce: nonce), reservations: taken(nonce, unit, at: days, of: total))
        return (try await ledger.record(submission), nonce)
    }

    private func probe(_ ledger: any Ledger, _ unit: String, at days: Int64, of total: Int = 9) async throws -> [String] {
        try await ledger.record(LedgerSubmission(nil, probes: taken(UUID(), unit, at: days, of: total).map(\.asProbe))).limits
    }

    @Test(
        "A redemption counts for the campaign whose signature it redeemed, for as long as that says",
        arguments: SigningStoreUnderTest.allCases)
    func stays(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let (outcome, nonce) = try await sign(ledger, "ann", at: 0)
        #expect(outcome == .recorded)
        // Ann has cancelled, and asks again.
        #expect(try await sign(ledger, "ann", at: 0).0 == .recorded)
        try await ledger.count([redemption(nonce, "ann", at: 0)])
        // Not the signature, which has lapsed by then.
        for day: Int64 in [0, 2, 29] {
            #expect(try await sign(ledger, "ann", at: day).0.limits == ["campaign ann"])
            #expect(try await probe(ledger, "ann", at: day) == ["campaign ann"])
        }
        // What is learnt of the purchase later changes nothing of that.
        try await ledger.count([redemption(nonce, "ann", at: 0, version: 2, isRefunded: true)])
        #expect(try await sign(ledger, "ann", at: 29).0.limits == ["campaign ann"])
        #expect(try await sign(ledger, "ann", at: 30).0 == .recorded)
    }

    @Test("In all there are as many as redeemed ones and outstanding ones leave", arguments: SigningStoreUnderTest.allCases)
    func total(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let (_, first) = try await sign(ledger, "a", at: 0, of: 2)
        #expect(try await sign(ledger, "b", at: 0, of: 2).0 == .recorded)
        #expect(try await sign(ledger, "c", at: 0, of: 2).0.limits == ["campaign"])
        try await ledger.count([redemption(first, "a", at: 0)])
        #expect(try await sign(ledger, "c", at: 0, of: 2).0.limits == ["campaign"])
        // The one that was not redeemed has lapsed.
        #expect(try await sign(ledger, "c", at: 2, of: 2).0 == .recorded)
        #expect(try await sign(ledger, "d", at: 2, of: 2).0.limits == ["campaign"])
        #expect(try await sign(ledger, "d", at: 4, of: 2).0 == .recorded)
        #expect(try await sign(ledger, "e", at: 4, of: 1).0.limits == ["campaign"])
        // A redemption without a signature of ours is the offer's alone.
        try await ledger.count([redemption(UUID(), "z", at: 4), redemption(nil, "y", at: 4)])
        #expect(try await sign(ledger, "f", at: 6, of: 2).0 == .recorded)
    }

    @Test("The signature of a redemption may become known late, once", arguments: SigningStoreUnderTest.allCases)
    func late(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let (_, nonce) = try await sign(ledger, "a", at: 0, of: 1)
        try await ledger.count([redemption(nil, "a", at: 0)])
        try await ledger.count([redemption(nonce, "a", at: 0, version: 2), redemption(nonce, "a", at: 0, version: 3)])
        #expect(try await sign(ledger, "b", at: 2, of: 1).0.limits == ["campaign"])
        #expect(try await sign(ledger, "b", at: 2, of: 2).0 == .recorded)
        #expect(try await sign(ledger, "a", at: 2, of: 3).0.limits == ["campaign a"])
    }

    @Test(
        "A look takes nothing, and a limit does not hide an offer from who holds a place",
        arguments: SigningStoreUnderTest.allCases)
    func looks(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        for _ in 0..<3 { #expect(try await probe(store.ledger, "ann", at: 0, of: 1) == []) }
        #expect(try await sign(store.ledger, "ann", at: 0, of: 2).0 == .recorded)
        #expect(try await probe(store.ledger, "ann", at: 0, of: 2) == [])
        #expect(try await probe(store.ledger, "ann", at: 0, of: 1) == [])
        #expect(try await probe(store.ledger, "bob", at: 0, of: 1) == ["campaign"])
        let full = LedgerSubmission(nil, exposures: [.sample("bob")], probes: taken(UUID(), "bob", at: 0, of: 1).map(\.asProbe))
        #expect(try await store.ledger.record(full).limits == ["campaign"])
        let free = LedgerSubmission(nil, exposures: [.sample("bob")], probes: taken(UUID(), "bob", at: 0, of: 2).map(\.asProbe))
        #expect(try await store.ledger.record(free) == .recorded)
        let exposures = try await store.marketing.exposures.exposures(
            of: "spring-winback", partition: "com.example.app", after: 0, limit: 9)
        #expect(exposures.map(\.exposure.unit) == ["bob"])
        #expect(try await store.ledger.pruneReservations(now: at(9), limit: 9) > 0)
        #expect(try await probe(store.ledger, "ann", at: 0, of: 1) == [])
    }
}
