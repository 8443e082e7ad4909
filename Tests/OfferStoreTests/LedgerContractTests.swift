import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@Suite("Ledger contract")
struct LedgerContractTests {
    private static let now = Instant(milliseconds: 1_700_000_000_000)

    @Test("A recorded row comes back as it went in", arguments: SigningStoreUnderTest.allCases)
    func roundTrip(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let entry = LedgerEntry.sample()
        #expect(try await ledger.record(LedgerSubmission(entry)) == .recorded)
        #expect(try await ledger.entry(nonce: entry.nonce) == entry)
        #expect(try await ledger.entry(nonce: UUID()) == nil)
    }

    @Test("Each nonce of a request leads to its entry, whatever the ids in it", arguments: SigningStoreUnderTest.allCases)
    func severalSignatures(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let ids = ["", "pro", #"a "quoted" \ id"#, "tab\tand\u{1}\u{1F}", "e\u{301} é 🎉", "[]],[\"", "\u{7F}\u{2028}"]
        let entry = LedgerEntry.sample(
            signatures: ids.flatMap { product in
                ids.map { offer in
                    LedgerSignature(
                        nonce: UUID(), productID: product, offerID: offer, transactionID: offer.count == 3 ? product : nil,
                        digest: (0..<32).map { _ in .random(in: 0...255) })
                }
            })
        #expect(try await ledger.record(LedgerSubmission(entry)) == .recorded)
        for signature in entry.signatures {
            let found = try #require(try await ledger.entry(nonce: signature.nonce))
            #expect(found == entry)
            // Text is equal if it is canonically equivalent; these must have the same bytes.
            for (left, right) in zip(found.signatures, entry.signatures) {
                #expect(Array(left.productID.utf8) == Array(right.productID.utf8))
                #expect(Array(left.offerID.utf8) == Array(right.offerID.utf8))
            }
        }
    }

    @Test("An entry takes the series of its nonces as a whole", arguments: SigningStoreUnderTest.allCases)
    func series(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let series = UUID.series(of: 64)
        let (used, unused) = (Array(series[10..<30]), series[30])
        #expect(try await ledger.record(LedgerSubmission(.sample(nonces: used))) == .recorded)
        for nonce in used {
            #expect(try await ledger.record(LedgerSubmission(.sample(nonce: nonce))) == .nonceReplayed(nonce))
            #expect(try await ledger.entry(nonce: nonce)?.signatures.map(\.nonce) == used)
        }
        #expect(try await ledger.record(LedgerSubmission(.sample(nonce: unused))) == .nonceReplayed(unused))
        #expect(try await ledger.entry(nonce: unused) == nil)
        let others = [UUID()] + UUID.series(of: 2) + [used[3]]
        #expect(try await ledger.record(LedgerSubmission(.sample(nonces: others))) == .nonceReplayed(used[3]))
        #expect(try await ledger.record(LedgerSubmission(.sample(nonces: Array(others.dropLast())))) == .recorded)
    }

    @Test("A nonce that a request has twice is taken neither time", arguments: SigningStoreUnderTest.allCases)
    func twice(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let (twin, fresh, series) = (UUID(), UUID(), UUID.series(of: 3))
        for nonces in [[twin, twin], [twin, fresh, twin], [fresh, twin, twin]] {
            #expect(try await ledger.record(LedgerSubmission(.sample(nonces: nonces))) == .nonceReplayed(twin))
        }
        let doubled = series + [series[1]]
        #expect(try await ledger.record(LedgerSubmission(.sample(nonces: doubled))) == .nonceReplayed(series[1]))
        let mixed = [series[0], twin, series[1], fresh, series[2]]
        #expect(try await ledger.record(LedgerSubmission(.sample(nonces: mixed))) == .recorded)
    }

    @Test("A nonce is taken once", arguments: SigningStoreUnderTest.allCases)
    func replay(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let nonce = UUID()
        #expect(try await ledger.record(LedgerSubmission(.sample(nonce: nonce))) == .recorded)
        #expect(
            try await ledger.record(LedgerSubmission(.sample(nonce: nonce, at: 5))) == .nonceReplayed(nonce))
    }

    @Test("Of many that want one nonce at once, one gets it", arguments: SigningStoreUnderTest.allCases)
    func race(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let nonce = UUID()
        let recorded = try await withThrowingTaskGroup(of: LedgerOutcome.self) { group in
            for index in 0..<200 {
                group.addTask {
                    try await ledger.record(LedgerSubmission(.sample(nonce: nonce, at: Int64(index))))
                }
            }
            return try await group.reduce(0) { $0 + ($1 == .recorded ? 1 : 0) }
        }
        #expect(recorded == 1)
    }

    @Test("A submission with a used nonce uses up none of its others", arguments: SigningStoreUnderTest.allCases)
    func allOrNothing(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let (used, fresh) = (UUID(), UUID())
        _ = try await ledger.record(LedgerSubmission(.sample(nonce: used)))
        let submission = LedgerSubmission(.sample(nonces: [fresh, used]), idempotency: .sample(key: "failed"))
        #expect(try await ledger.record(submission) == .nonceReplayed(used))
        #expect(try await ledger.entry(nonce: fresh) == nil)
        #expect(try await ledger.answer(caller: "caller", key: "failed", now: LedgerContractTests.now) == nil)
        #expect(try await ledger.record(LedgerSubmission(.sample(nonce: fresh))) == .recorded)
    }

    @Test("A failure of one submission leaves the others of its batch alone", arguments: SigningStoreUnderTest.allCases)
    func batch(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let nonces = (0..<3).map { _ in UUID() }
        let submissions = [nonces[0], nonces[1], nonces[0], nonces[2]].map { LedgerSubmission(.sample(nonce: $0)) }
        let outcomes = try await ledger.record(submissions)
        #expect(outcomes == [.recorded, .recorded, .nonceReplayed(nonces[0]), .recorded])
        for nonce in nonces { #expect(try await ledger.entry(nonce: nonce) != nil) }
    }

    @Test("An idempotency key gives the stored answer to the same request only", arguments: SigningStoreUnderTest.allCases)
    func idempotency(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        func record(_ record: IdempotencyRecord) async throws -> LedgerOutcome {
            try await ledger.record(LedgerSubmission(.sample(), idempotency: record))
        }
        #expect(try await record(.sample(digest: 1)) == .recorded)
        #expect(try await record(.sample(digest: 1)) == .answeredBefore(Array("answer 1".utf8)))
        #expect(try await record(.sample(digest: 2)) == .idempotencyKeyReused)
        #expect(try await record(.sample(caller: "another", digest: 2)) == .recorded)
        let kept = try await ledger.answer(caller: "caller", key: "key", now: LedgerContractTests.now)
        #expect(kept == .sample(digest: 1))
    }

    @Test("An answer is kept for 24 hours", arguments: SigningStoreUnderTest.allCases)
    func expiredAnswer(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let start = LedgerContractTests.now
        _ = try await ledger.record(LedgerSubmission(.sample(), idempotency: .sample(digest: 1)))
        let end = start.advanced(by: IdempotencyRecord.lifetime)
        #expect(try await ledger.answer(caller: "caller", key: "key", now: end.advanced(by: -1)) != nil)
        #expect(try await ledger.answer(caller: "caller", key: "key", now: end) == nil)
        let again = IdempotencyRecord.sample(digest: 2, at: end.milliseconds)
        #expect(try await ledger.record(LedgerSubmission(.sample(), idempotency: again)) == .recorded)
        #expect(try await ledger.answer(caller: "caller", key: "key", now: end) == again)
    }

    @Test("The latest instant is known", arguments: SigningStoreUnderTest.allCases)
    func latest(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        #expect(try await ledger.latestInstant() == nil)
        for time in [5, 9, 7] as [Int64] {
            _ = try await ledger.record(LedgerSubmission(.sample(at: time)))
        }
        #expect(try await ledger.latestInstant() == Instant(milliseconds: 9))
    }

    private static let hour: Int64 = 3_600_000

    private func serve(_ hours: Int64, _ ledger: any Ledger, at instant: Instant = now) async throws {
        for _ in 0..<hours { try await ledger.served(Self.hour, at: instant) }
    }

    @Test("Retention takes the oldest rows, slice by slice, and never the last", arguments: SigningStoreUnderTest.allCases)
    func retention(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let nonces = (0..<5).map { _ in UUID() }
        // Whatever time they claim to be of.
        for (nonce, time) in zip(nonces, [9, 0, 5, 400, 1] as [Int64]) {
            try await serve(2, ledger)
            _ = try await ledger.record(LedgerSubmission(.sample(nonce: nonce, at: time)))
        }
        try await ledger.served(18 * Self.hour, at: Self.now)
        #expect(try await ledger.prune(servedSince: 21 * Self.hour, limit: 2) == 2)
        #expect(try await ledger.prune(servedSince: 21 * Self.hour, limit: 2) == 1)
        #expect(try await ledger.prune(servedSince: 21 * Self.hour, limit: 2) == 0)
        #expect(try await ledger.entry(nonce: nonces[2]) == nil)
        #expect(try await ledger.entry(nonce: nonces[3]) != nil)
        try await ledger.served(100 * Self.hour, at: Self.now)
        #expect(try await ledger.prune(servedSince: 21 * Self.hour, limit: 9) == 1)
        #expect(try await ledger.entry(nonce: nonces[4]) != nil)
        #expect(try await ledger.latestInstant() == Instant(milliseconds: 1))
    }

    @Test("With an entry all its nonces go", arguments: SigningStoreUnderTest.allCases)
    func retentionOfNonces(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let (old, kept) = (UUID.series(of: 20), (0..<20).map { _ in UUID() })
        _ = try await ledger.record(LedgerSubmission(.sample(nonces: old, at: 1)))
        try await serve(2, ledger)
        _ = try await ledger.record(LedgerSubmission(.sample(nonces: kept, at: 2)))
        _ = try await ledger.record(LedgerSubmission(.sample(at: 3)))
        try await serve(1, ledger)
        #expect(try await ledger.prune(servedSince: 2 * Self.hour, limit: 9) == 1)
        for nonce in old { #expect(try await ledger.entry(nonce: nonce) == nil) }
        for nonce in kept { #expect(try await ledger.entry(nonce: nonce) != nil) }
        #expect(try await ledger.record(LedgerSubmission(.sample(nonces: old))) == .recorded)
    }

    @Test("No row grows older by a clock that leaps", arguments: SigningStoreUnderTest.allCases)
    func leap(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        let entry = LedgerEntry.sample(at: Self.now.milliseconds)
        _ = try await ledger.record(LedgerSubmission(entry, idempotency: .sample(key: "kept", at: Self.now.milliseconds)))
        let later = Self.now.advanced(by: 402 * 24 * Self.hour)
        _ = try await ledger.record(LedgerSubmission(.sample(at: later.milliseconds)))
        try await serve(23, ledger, at: later)
        #expect(try await ledger.prune(servedSince: 25 * Self.hour, limit: 9) == 0)
        #expect(try await ledger.pruneAnswers(servedSince: 24 * Self.hour, limit: 9) == 0)
        #expect(try await ledger.record(LedgerSubmission(entry)) == .nonceReplayed(entry.nonce))
    }

    @Test("Old answers go, young ones stay", arguments: SigningStoreUnderTest.allCases)
    func answerRetention(_ implementation: SigningStoreUnderTest) async throws {
        let (ledger, folder) = try implementation.makeLedger()
        defer { withExtendedLifetime(folder) {} }
        for time in 1...4 as ClosedRange<Int64> {
            let record = IdempotencyRecord.sample(key: "key \(time)", at: time)
            _ = try await ledger.record(LedgerSubmission(.sample(), idempotency: record))
            try await serve(2, ledger, at: Instant(milliseconds: time + 1))
        }
        #expect(try await ledger.pruneAnswers(servedSince: 5 * Self.hour, limit: 10) == 2)
        let now = Instant(milliseconds: 5)
        #expect(try await ledger.answer(caller: "caller", key: "key 2", now: now) == nil)
        #expect(try await ledger.answer(caller: "caller", key: "key 3", now: now) != nil)
    }
}
