import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import TestRandomness
import Testing

@Suite("Ledger contract: places")
struct PlaceContractTests: LimitSamples {
    private static let hour: Int64 = 3_600_000

    private func at(_ hour: Int64) -> Instant { at(day: 0).advanced(by: hour * Self.hour) }

    /// A signature for a customer, and what it takes of an offer that so many may have in all.
    private func signature(_ customer: String, of max: Int, at hour: Int64 = 0) -> LedgerSubmission {
        signature([customer], of: max, at: hour)
    }

    private func signature(
        _ customers: [String],
        of max: Int,
        at hour: Int64 = 0,
        outstanding: Int? = nil,
        redeemed: Int? = nil
    ) -> LedgerSubmission {
        let nonce = UUID()
        func reservation(_ rule: Reservation.Rule, _ names: [String]) -> Reservation {
            Reservation(
                scope: .sample, rule: rule, names: .sample(names), madeAt: at(hour),
                expiresAt: at(hour).advanced(by: Reservation.lifetime), nonce: nonce)
        }
        return LedgerSubmission(
            .sample(nonce: nonce),
            reservations: [
                reservation(.uses(LimitTerms(outstanding: outstanding, redeemed: redeemed)), customers),
                reservation(.total(max, countsRefunded: true), ["total"]),
            ])
    }

    /// How many places and redemptions there are, as a customer without a place learns.
    private func counted(_ ledger: any Ledger, at hour: Int64 = 0) async throws -> Int? {
        evidence(try await ledger.record(signature("stranger", of: 0, at: hour)))?.counted
    }

    private func nonce(_ submission: LedgerSubmission) -> UUID { submission.entry!.signatures[0].nonce }

    @Test(
        "A customer's signatures hold one place, which lapses with the last of them", arguments: SigningStoreUnderTest.allCases)
    func lapse(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        for hour in [0, 0, 10, 20] as [Int64] {
            #expect(try await ledger.record(signature("ann", of: 1, at: hour)) == .recorded)
            #expect(try await counted(ledger, at: hour) == 1)
        }
        // The first ones have lapsed, and are forgotten or not.
        #expect(evidence(try await ledger.record(signature("bob", of: 1, at: 30)))?.counted == 1)
        _ = try await ledger.pruneReservations(now: at(40), limit: 9)
        let full = try await ledger.record(signature("bob", of: 1, at: 40))
        let until = at(20).advanced(by: Reservation.lifetime)
        #expect(evidence(full) == LimitEvidence(.total, max: 1, counted: 1, freesAt: until))
        #expect(try await ledger.record(signature("bob", of: 1, at: 45)) == .recorded)
        _ = try await ledger.pruneReservations(now: at(99), limit: 9)
        #expect(try await counted(ledger, at: 99) == 0)
    }

    @Test("A signature that is recorded late does not shorten the place", arguments: SigningStoreUnderTest.allCases)
    func late(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await ledger.record([10, 5].map { signature("ann", of: 1, at: $0) }) == [.recorded, .recorded])
        #expect(try await ledger.record(signature("ann", of: 1, at: 6)) == .recorded)
        let until = at(10).advanced(by: Reservation.lifetime)
        let full = try await ledger.record(signature("bob", of: 1, at: 32))
        #expect(evidence(full) == LimitEvidence(.total, max: 1, counted: 1, freesAt: until))
        #expect(try await ledger.record(signature("bob", of: 1, at: 35)) == .recorded)
        _ = try await ledger.pruneReservations(now: at(99), limit: 9)
        #expect(try await counted(ledger, at: 99) == 0)
    }

    @Test("So it is in one batch, and in one request", arguments: SigningStoreUnderTest.allCases)
    func batch(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let batch = ["ann", "ann", "bob", "ann", "carl", "bob"].map { signature([$0], of: 2, outstanding: 9) }
        let outcomes = try await ledger.record(batch)
        #expect(outcomes.map(\.limits) == [[], [], [], [], ["total"], []])
        let request = [signature("dora", of: 3), signature("dora", of: 3), signature("dora", of: 3)]
        let whole = LedgerSubmission(
            .sample(nonces: request.map(nonce)), reservations: request.flatMap(\.reservations))
        #expect(try await ledger.record(whole) == .recorded)
        #expect(try await counted(ledger) == 3)
        try await ledger.count([redemption("1", ["ann"], of: nonce(batch[1])), redemption("2", ["dora"], of: nonce(request[0]))])
        #expect(try await counted(ledger) == 3)
        #expect(try await ledger.pruneReservations(now: at(99), limit: 99) == 6)
        #expect(try await counted(ledger, at: 99) == 2)
    }

    @Test("A redemption uses up the place, whichever of its signatures it is of", arguments: SigningStoreUnderTest.allCases)
    func redemption(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let three = (0..<3).map { _ in signature(["ann"], of: 2, redeemed: 1) }
        for one in three { #expect(try await ledger.record(one) == .recorded) }
        try await ledger.count([redemption("1", ["ann"], of: nonce(three[0]))])
        #expect(try await counted(ledger) == 1)
        #expect(evidence(try await ledger.record(signature(["ann"], of: 2, redeemed: 1)))?.rule == .perCustomer)
        #expect(try await ledger.record(signature("bob", of: 2)) == .recorded)
        #expect(evidence(try await ledger.record(signature("ann", of: 2)))?.rule == .total)
        // The App Store took another one, too: it counts.
        try await ledger.count([redemption("2", ["ann"], of: nonce(three[2]))])
        #expect(try await counted(ledger) == 3)
        try await ledger.count([redemption("1", ["ann"], version: 2, refunded: true, of: nonce(three[0]))])
        #expect(try await counted(ledger) == 3)
    }

    @Test(
        "Which signature was redeemed may become known late, and then uses up no other place",
        arguments: SigningStoreUnderTest.allCases)
    func lateKnowledge(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let first = signature("ann", of: 9)
        #expect(try await ledger.record(first) == .recorded)
        try await ledger.count([redemption("1", ["ann"])])
        #expect(try await counted(ledger) == 1)
        #expect(try await ledger.record(signature("ann", of: 9)) == .recorded)
        #expect(try await counted(ledger) == 2)
        try await ledger.count([redemption("1", ["ann"], version: 2, of: nonce(first))])
        #expect(try await counted(ledger) == 2)
    }

    @Test(
        "The first name alone says whose place it is, so that no chain of names shares one",
        arguments: SigningStoreUnderTest.allCases)
    func chain(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        for names in [["ann", "x"], ["ann", "y"], ["bob", "y"], ["bob", "x"], ["x"], ["ann"], ["bob"], ["y", "ann"]] {
            #expect(try await ledger.record(signature(names, of: 4)) == .recorded)
        }
        // Those of ann, bob, x and y.
        #expect(try await counted(ledger) == 4)
        #expect(evidence(try await ledger.record(signature("carl", of: 4)))?.counted == 4)
        // A redemption by one of them uses up no other's.
        let one = signature(["x", "ann"], of: 4)
        #expect(try await ledger.record(one) == .recorded)
        try await ledger.count([redemption("1", ["x"], of: nonce(one))])
        #expect(try await counted(ledger) == 4)
        #expect(try await ledger.pruneReservations(now: at(99), limit: 99) > 0)
        #expect(try await counted(ledger, at: 99) == 1)
    }

    @Test("An old purchase that becomes known uses up no place of a later signature", arguments: SigningStoreUnderTest.allCases)
    func oldPurchase(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let signed = signature("ann", of: 9)
        #expect(try await ledger.record(signed) == .recorded)
        try await ledger.count([redemption("old", ["ann"], day: -30)])
        #expect(try await counted(ledger) == 2)
        try await ledger.count([redemption("new", ["ann"], of: nonce(signed))])
        #expect(try await counted(ledger) == 2)
    }

    @Test("Under any load there are as many places as a simple count says", arguments: SigningStoreUnderTest.allCases, 1...3)
    func random(_ implementation: SigningStoreUnderTest, seed: UInt64) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        var generator = SplitMix64(seed: seed)
        /// Until when each customer holds a place.
        var places: [String: Instant] = [:]
        var signed: [(customer: String, nonce: UUID, until: Instant)] = []
        var (redeemed, hour, refusals) = (0, Int64(0), 0)
        for _ in 0..<60 {
            hour += Int64(generator.below(4))
            let now = at(hour)
            var (batch, expected): ([LedgerSubmission], [Int?]) = ([], [])
            for _ in 0...generator.below(5) {
                let (customer, max) = ("c\(generator.below(7))", 1 + redeemed + generator.below(6))
                let submission = signature(customer, of: max, at: hour)
                batch.append(submission)
                let count = redeemed + places.values.count { $0 > now }
                let holds = places[customer].map { $0 > now } ?? false
                guard holds || count < max else {
                    expected.append(count)
                    continue
                }
                expected.append(nil)
                let until = now.advanced(by: Reservation.lifetime)
                places[customer] = until
                signed.append((customer, nonce(submission), until))
            }
            #expect(try await ledger.record(batch).map { evidence($0)?.counted } == expected)
            refusals += expected.count { $0 != nil }
            if generator.once(in: 3), let one = signed.filter({ $0.until > now }).randomElement(using: &generator) {
                signed.removeAll { $0.nonce == one.nonce }
                let redemption = CountedRedemption(
                    partition: "com.example.app", transactionID: one.nonce.uuidString, version: 1, total: "total",
                    names: [one.customer], redeemedAt: now, isRefunded: false, nonce: generator.once(in: 4) ? nil : one.nonce)
                try await ledger.count([redemption])
                places[one.customer] = nil
                redeemed += 1
            }
            if generator.once(in: 5) { _ = try await ledger.pruneReservations(now: now, limit: 1 + generator.below(9)) }
            #expect(try await counted(ledger, at: hour) == redeemed + places.values.count { $0 > now })
        }
        #expect(refusals > 5 && redeemed > 5)
    }
}
