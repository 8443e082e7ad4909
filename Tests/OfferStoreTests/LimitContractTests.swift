import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import TestRandomness
import Testing

@Suite("Ledger contract: limits")
struct LimitContractTests: LimitSamples {
    @Test(
        "A customer may ask again as long as fewer signatures were redeemed than allowed",
        arguments: SigningStoreUnderTest.allCases)
    func redeemed(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let terms = Reservation.Rule.uses(LimitTerms(redeemed: 2))
        let first = signature(terms)
        #expect(try await ledger.record(first) == .recorded)
        for _ in 0..<3 { #expect(try await ledger.record(signature(terms)) == .recorded) }
        for version in 1...2 as ClosedRange<Int64> {
            try await ledger.count([redemption("1", version: version, of: first.entry!.signatures[0].nonce)])
            #expect(try await ledger.record(signature(terms)) == .recorded)
        }
        try await ledger.count([redemption("2", day: 2)])
        let never = try await ledger.record(signature(terms, day: 9))
        #expect(evidence(never) == LimitEvidence(.perCustomer, max: 2, counted: 2, freesAt: nil))
    }

    @Test("No more signatures than allowed are outstanding at a time", arguments: SigningStoreUnderTest.allCases)
    func outstanding(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let terms = Reservation.Rule.uses(LimitTerms(outstanding: 2, redeemed: 9))
        let first = signature(terms)
        #expect(try await ledger.record(first) == .recorded)
        #expect(try await ledger.record(signature(terms, after: 1)) == .recorded)
        let until = at(day: 0).advanced(by: Reservation.lifetime)
        let full = try await ledger.record(signature(terms))
        #expect(evidence(full) == LimitEvidence(.outstanding, max: 2, counted: 2, freesAt: until))
        for _ in 0..<2 { try await ledger.count([redemption("1", of: first.entry!.signatures[0].nonce)]) }
        #expect(try await ledger.record(signature(terms)) == .recorded)
        #expect(evidence(try await ledger.record(signature(terms))) != nil)
        #expect(try await ledger.record(signature(terms, day: 2)) == .recorded)
    }

    @Test("What stands under several names of a customer counts once", arguments: SigningStoreUnderTest.allCases)
    func names(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let (once, twice) = (Reservation.Rule.uses(LimitTerms(redeemed: 1)), Reservation.Rule.uses(LimitTerms(outstanding: 2)))
        try await ledger.count([redemption("1", ["a", "b"])])
        #expect(evidence(try await ledger.record(signature(once, ["a", "b"])))?.counted == 1)
        #expect(try await ledger.record(signature(twice, ["a", "b"])) == .recorded)
        #expect(try await ledger.record(signature(twice, ["b", "c"], entered: ["c"])) == .recorded)
        #expect(evidence(try await ledger.record(signature(twice, ["a", "b", "c"])))?.counted == 2)
        #expect(try await ledger.record(signature(twice, ["c"])) == .recorded)
        // A name that it no longer has counts no more.
        try await ledger.count([redemption("1", ["x"], version: 2)])
        #expect(try await ledger.record(signature(once, ["a"])) == .recorded)
    }

    @Test(
        "A redemption counts under the names of its signature, too, which is outstanding under none of them any more",
        arguments: SigningStoreUnderTest.allCases)
    func otherNames(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let terms = Reservation.Rule.uses(LimitTerms(redeemed: 1))
        let signed = signature(terms, ["x", "y"])
        #expect(try await ledger.record(signed) == .recorded)
        for version in 1...2 as ClosedRange<Int64> {
            try await ledger.count([redemption("1", ["a"], version: version, of: signed.entry!.signatures[0].nonce)])
            for names in [["a"], ["x"], ["y"], ["a", "x", "y"]] {
                let outcome = try await ledger.record(signature(terms, names))
                #expect(evidence(outcome) == LimitEvidence(.perCustomer, max: 1, counted: 1, freesAt: nil), "\(names)")
            }
        }
    }

    @Test("An older version of a redemption changes nothing", arguments: SigningStoreUnderTest.allCases)
    func versions(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let terms = Reservation.Rule.uses(LimitTerms(redeemed: 1, countsRefunded: false))
        try await ledger.count([redemption("1", version: 1)])
        #expect(evidence(try await ledger.record(signature(terms))) != nil)
        try await ledger.count([redemption("1", version: 3, refunded: true)])
        try await ledger.count([redemption("1", version: 2)])
        #expect(try await ledger.record(signature(terms)) == .recorded)
        #expect(evidence(try await ledger.record(signature(.uses(LimitTerms(redeemed: 1))))) != nil)
    }

    @Test(
        "A redemption without names does not count, or no longer, until it has names again",
        arguments: SigningStoreUnderTest.allCases)
    func withdrawn(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        func counted() async throws -> [Int?] {
            var found: [Int?] = []
            for (rule, names) in [
                (.uses(LimitTerms(redeemed: 0)), ["a"]), (.total(0, countsRefunded: true), ["total"]),
                (.total(0, countsRefunded: false), ["total"]),
            ] as [(Reservation.Rule, [String])] {
                found.append(evidence(try await ledger.record(signature(rule, names)))?.counted)
            }
            return found
        }
        try await ledger.count([redemption("1"), redemption("2", refunded: true), redemption("3", [])])
        #expect(try await counted() == [2, 2, 1])
        for version in 2...3 as ClosedRange<Int64> {
            try await ledger.count([redemption("2", [], version: version, refunded: true), redemption("3", [], version: version)])
            #expect(try await counted() == [1, 1, 1])
        }
        try await ledger.count([redemption("2", version: 4), redemption("1", [], version: 2)])
        #expect(try await counted() == [1, 1, 1])
        try await ledger.count([redemption("1", version: 1), redemption("1", version: 3)])
        #expect(try await counted() == [2, 2, 2])
    }

    @Test(
        "Redemptions grow old, and each limit says when it frees",
        arguments: SigningStoreUnderTest.allCases,
        [
            (LimitTerms(redeemed: 1, per: CalendarPeriod("P10D")), 9, LimitEvidence.Rule.perCustomer, 1, 10),
            (LimitTerms(redeemed: 1, per: CalendarPeriod("P10D")), 10, nil, 0, nil),
            (LimitTerms(cooldown: CalendarPeriod("P2W")), 13, .cooldown, 1, 14),
            (LimitTerms(cooldown: CalendarPeriod("P2W")), 14, nil, 0, nil),
            (LimitTerms(redeemed: 1), 99, .perCustomer, 1, nil),
            // Of two the one that frees last.
            (LimitTerms(redeemed: 1, per: CalendarPeriod("P10D"), cooldown: CalendarPeriod("P2W")), 9, .cooldown, 1, 14),
            (LimitTerms(redeemed: 1, per: CalendarPeriod("P20D"), cooldown: CalendarPeriod("P2W")), 9, .perCustomer, 1, 20),
        ] as [(LimitTerms, Int64, LimitEvidence.Rule?, Int, Int64?)])
    func age(
        _ implementation: SigningStoreUnderTest,
        _ row: (terms: LimitTerms, day: Int64, rule: LimitEvidence.Rule?, counted: Int, frees: Int64?)
    ) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        try await ledger.count([redemption("1")])
        let found = evidence(try await ledger.record(signature(.uses(row.terms), day: row.day)))
        #expect(found == row.rule.map { LimitEvidence($0, max: 1, counted: row.counted, freesAt: row.frees.map(at(day:))) })
    }

    @Test("What a batch takes under several names adds up with what is stored", arguments: SigningStoreUnderTest.allCases)
    func sum(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let terms = Reservation.Rule.uses(LimitTerms(outstanding: 3))
        #expect(try await ledger.record(signature(terms, ["a"])) == .recorded)
        let outcomes = try await ledger.record([["x"], ["y"], ["a", "x", "y"]].map { signature(terms, $0) })
        #expect(outcomes[..<2] == [.recorded, .recorded])
        #expect(evidence(outcomes[2])?.counted == 3)
        // One use is enough for this.
        #expect(evidence(try await ledger.record(signature(.uses(LimitTerms(outstanding: 1)), ["x"])))?.counted == 1)
    }

    @Test(
        "Of signatures under any names, in any batches, as many as allowed are granted",
        arguments: SigningStoreUnderTest.allCases,
        1...3)
    func random(_ implementation: SigningStoreUnderTest, seed: UInt64) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        var generator = SplitMix64(seed: seed)
        // The names that each outstanding signature counts under, and until when.
        var granted: [(names: Set<String>, nonce: UUID, until: Instant)] = []
        for _ in 0..<40 {
            var (batch, expected): ([LedgerSubmission], [LimitEvidence?]) = ([], [])
            for _ in 0...generator.below(6) {
                let names = (0..<12).map { "n\($0)" }.shuffled(using: &generator).prefix(1 + generator.below(3))
                let entered = Array(names.prefix(1 + generator.below(names.count)))
                let max = 1 + generator.below(5)
                let submission = signature(
                    .uses(LimitTerms(outstanding: max)), Array(names), entered: entered, after: Int64(generator.below(900)))
                let frees = granted.filter { !$0.names.isDisjoint(with: names) }.map(\.until).sorted()
                if frees.count < max {
                    granted.append((Set(entered), submission.entry!.signatures[0].nonce, submission.reservations[0].expiresAt))
                    expected.append(nil)
                } else {
                    expected.append(
                        LimitEvidence(.outstanding, max: max, counted: frees.count, freesAt: frees[frees.count - max]))
                }
                batch.append(submission)
            }
            #expect(try await ledger.record(batch).map(evidence) == expected)
            if generator.once(in: 9) {
                let redeemed = granted.remove(at: generator.below(granted.count))
                try await ledger.count([redemption(redeemed.nonce.uuidString, Array(redeemed.names), of: redeemed.nonce)])
            }
        }
        #expect(granted.count > 15)
    }

    @Test("A total counts what is outstanding and what was redeemed, each once", arguments: SigningStoreUnderTest.allCases)
    func total(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        func sign(_ max: Int = 3, day: Int64 = 0, countsRefunded: Bool = true) -> LedgerSubmission {
            signature(.total(max, countsRefunded: countsRefunded), ["total"], day: day)
        }
        try await ledger.count([redemption("0")])
        let first = sign()
        #expect(try await ledger.record(first) == .recorded)
        #expect(try await ledger.record(sign()) == .recorded)
        let until = at(day: 0).advanced(by: Reservation.lifetime)
        #expect(evidence(try await ledger.record(sign())) == LimitEvidence(.total, max: 3, counted: 3, freesAt: until))
        for _ in 0..<2 { try await ledger.count([redemption("1", of: first.entry!.signatures[0].nonce)]) }
        #expect(evidence(try await ledger.record(sign()))?.counted == 3)
        // One lapses: it is given back, once, however often it is looked at.
        #expect(try await ledger.record(sign(day: 2)) == .recorded)
        #expect(evidence(try await ledger.record(sign(day: 2)))?.counted == 3)
        try await ledger.count([redemption("2", day: 2)])
        #expect(evidence(try await ledger.record(sign(day: 9))) == LimitEvidence(.total, max: 3, counted: 3, freesAt: nil))
        try await ledger.count([redemption("2", day: 2, version: 2, refunded: true)])
        #expect(evidence(try await ledger.record(sign(day: 9))) != nil)
        #expect(try await ledger.record(sign(day: 9, countsRefunded: false)) == .recorded)
        try await ledger.count([redemption("2", day: 2, version: 3)])
        #expect(try await ledger.record(sign(5, day: 9)) == .recorded)
        #expect(evidence(try await ledger.record(sign(5, day: 9)))?.counted == 5)
    }

    @Test(
        "What is forgotten was no longer outstanding, and a total loses nothing by it", arguments: SigningStoreUnderTest.allCases)
    func pruning(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        for day in 0...2 as ClosedRange<Int64> {
            #expect(try await ledger.record(signature(.total(9, countsRefunded: true), ["total"], day: day)) == .recorded)
        }
        try await ledger.count([redemption("1")])
        #expect(try await ledger.pruneReservations(now: at(day: 1), limit: 9) == 0)
        #expect(try await ledger.pruneReservations(now: at(day: 3), limit: 9) == 2)
        #expect(try await ledger.pruneReservations(now: at(day: 3), limit: 9) == 0)
        #expect(evidence(try await ledger.record(signature(.total(2, countsRefunded: true), ["total"], day: 3)))?.counted == 2)
    }

    @Test("What is taken at once is found, redeemed and forgotten one by one", arguments: SigningStoreUnderTest.allCases)
    func atOnce(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        func submission(_ number: Int) -> LedgerSubmission {
            let name = "n\(number % 100)"
            let nonce = UUID()
            let signature = LedgerSignature(
                nonce: nonce, productID: "pro", offerID: "half", digest: [UInt8](repeating: 1, count: 32))
            let entry = LedgerEntry(
                signedAt: at(day: 0), partition: "com.example.app", keyID: "key", form: .payload,
                request: LedgerRequest(id: "r", caller: "caller", applicationUsername: ""), signatures: [signature])
            let until = at(day: 0).advanced(by: Reservation.lifetime)
            let one = Reservation(
                scope: .sample, rule: .uses(LimitTerms(outstanding: 1)), names: .sample([name, "x" + name], entered: [name]),
                madeAt: at(day: 0), expiresAt: until, nonce: nonce)
            let all = ["total", number.isMultiple(of: 2) ? "even" : "odd"].map {
                Reservation(
                    scope: .sample, rule: .total(100, countsRefunded: true), names: .sample([$0]), madeAt: at(day: 0),
                    expiresAt: until, nonce: nonce)
            }
            return LedgerSubmission(entry, reservations: [one] + all)
        }
        let first = (0..<150).map { submission($0) }
        let outcomes = try await ledger.record(first)
        // Each name once, although all of them came together.
        #expect(outcomes.prefix(100).allSatisfy { $0 == .recorded })
        #expect(outcomes.dropFirst(100).map(\.limits) == (0..<50).map { ["n\($0)"] })
        for number in 0..<100 { #expect(try await ledger.record(submission(number)).limits.first == "n\(number)") }
        for number in [0, 41, 42, 99] {
            let nonce = first[number].entry!.signatures[0].nonce
            try await ledger.count([redemption("\(number)", ["n\(number)"], refunded: true, of: nonce)])
        }
        // The redeemed ones count once, and for the total of their offer only.
        #expect(evidence(try await ledger.record(signature(.total(0, countsRefunded: true), ["total"])))?.counted == 100)
        #expect(evidence(try await ledger.record(signature(.total(0, countsRefunded: false), ["total"])))?.counted == 96)
        #expect(evidence(try await ledger.record(signature(.total(0, countsRefunded: true), ["even"])))?.counted == 48)
        let terms = Reservation.Rule.uses(LimitTerms(outstanding: 1, redeemed: 1, countsRefunded: false))
        for number in 40..<44 {
            let found = evidence(try await ledger.record(signature(terms, ["n\(number)"])))
            #expect((found == nil) == [41, 42].contains(number))
        }
    }

    @Test("A name is the same, in parts or as one text", arguments: SigningStoreUnderTest.allCases)
    func parts(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        // All ways in which the parts may lie in words of eight bytes.
        let kinds: [LimitName.Kind] = [.all, .customer, .token, .account, .subscription]
        for length in 0..<60 {
            let scope = LimitScope(String(repeating: "s", count: length % 9) + "\(length)")
            let name = LimitName(kinds[length % 5], String(repeating: "é", count: length % 7) + "i")
            let text = scope.text(of: name)
            try await ledger.count([redemption("\(length)", [text])])
            let nonce = UUID()
            let reservation = Reservation(
                scope: scope, rule: .uses(LimitTerms(redeemed: 1)), names: [name], madeAt: at(day: 0),
                expiresAt: at(day: 1), nonce: nonce)
            let outcome = try await ledger.record(.sample(taking: [reservation]))
            #expect(outcome.limits == [text])
        }
    }
}
