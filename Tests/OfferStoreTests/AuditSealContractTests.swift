import EligibilityRules
import Foundation
import OfferStore
import OfferStoreSQLite
import OfferStoreTesting
import Synchronization
import Testing

@Suite("Audit contract: seals")
struct AuditSealContractTests {
    private let rows = AuditRows()

    @Test("A seal covers what was written, each once, and follows the one before", arguments: SigningStoreUnderTest.allCases)
    func seals(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        store.audit.use(.plain(1))
        #expect(try await store.audit.seal(at: rows.at(9), certifying: nil) == nil)
        try await rows.fill(store)
        let first = try #require(try await store.audit.seal(at: rows.at(9), certifying: nil))
        #expect(try await store.audit.seal(at: rows.at(9), certifying: nil) == nil)
        try await store.audit.record([rows.event("a.b")])
        let second = try #require(try await store.audit.seal(at: rows.at(10), certifying: nil))
        #expect(try await store.audit.latestSeal() == second)
        try await store.audit.record([rows.event("a.b")])
        let digest = AuditFunctions.testing.link(of: Array(second.utf8))
        let report = try await store.audit.verify(.plain([1]), heads: [.note(SignedNote(first)!), .digest(number: 2, digest)])
        #expect(report.faults == [])
        #expect(report.isSealed)
        #expect(report.seals == 2)
        #expect(report.latestSeal?.rows == 26)
        #expect(report.tables.map(\.unsealed) == [0, 0, 1])
        #expect(second.hasPrefix("\(store.audit.origin)\n26\n"))
    }

    @Test(
        "Seals of a key that is not known prove nothing; those of one that it certified do",
        arguments: SigningStoreUnderTest.allCases)
    func trust(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        store.audit.use(.plain(1))
        try await rows.fill(store)
        _ = try await store.audit.seal(at: rows.at(9), certifying: nil)
        #expect(try await store.audit.verify(.plain([2]), heads: []).faults.map(\.place) == [.seal(1)])
        _ = try await store.audit.seal(at: rows.at(9), certifying: AuditSigner.plain(2).publicKey)
        store.audit.use(.plain(2))
        try await store.audit.record([rows.event("a.b")])
        _ = try await store.audit.seal(at: rows.at(9), certifying: nil)
        for keys in [[1], [2], [1, 2]] as [[UInt8]] {
            let report = try await store.audit.verify(.plain(keys), heads: [])
            #expect(report.faults == [])
            #expect(report.strangeSeals == (keys == [2] ? 2 : 0))
        }
        // A third one without a voucher.
        store.audit.use(.plain(3))
        try await store.audit.record([rows.event("a.b")])
        _ = try await store.audit.seal(at: rows.at(9), certifying: nil)
        #expect(try await store.audit.verify(.plain([1, 2]), heads: []).faults.map(\.place) == [.seal(4)])
    }

    @Test("A key may follow a lost one's seal if an operator vouches for that seal, and no other")
    func lostKey() async throws {
        let (store, folder) = try SigningStoreUnderTest.sqlite.make()
        store.audit.use(.plain(1))
        try await rows.fill(store)
        let lost = try #require(try await store.audit.seal(at: rows.at(9), certifying: nil))
        // A process that knows neither the seal nor its key.
        let other = try SigningStore.sqlite(path: folder.path("store.sqlite"), audit: .testing) { _ in }
        try await other.audit.record([rows.event("a.b")])
        for signer in [AuditSigner.plain(2, trusting: [2]), AuditSigner.plain(2, trusting: [2]).vouching(for: lost + "x")] {
            other.audit.use(signer)
            await #expect(throws: StoreError.self) { try await other.audit.seal(at: rows.at(10), certifying: nil) }
        }
        other.audit.use(AuditSigner.plain(2, trusting: [2]).vouching(for: lost))
        #expect(try await other.audit.seal(at: rows.at(10), certifying: nil) != nil)
        let report = try await other.audit.verify(.plain([2]), heads: [])
        #expect(report.faults == [])
        #expect(report.strangeSeals == 1)
        #expect(try await other.audit.verify(.plain([1]), heads: []).faults.map(\.place) == [.seal(2)])
    }

    @Test("The first seal says what retention had taken by then", arguments: SigningStoreUnderTest.allCases)
    func firstSeal(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        defer { withExtendedLifetime(folder) {} }
        for time in 1...4 as ClosedRange<Int64> {
            _ = try await store.ledger.record(LedgerSubmission(nil, refusals: rows.refusals(at: time)))
            for _ in 0..<2 { try await store.ledger.served(3_600_000, at: rows.at(time + 1)) }
        }
        #expect(try await store.ledger.pruneRefusals(servedSince: 3 * 3_600_000, limit: 9) > 0)
        store.audit.use(.plain(1))
        #expect(try await store.audit.seal(at: rows.at(9), certifying: nil) != nil)
        #expect(try await store.audit.verify(.plain([1]), heads: []).faults == [])
    }

    @Test("A head of another log, or of rows that are not there, is found", arguments: SigningStoreUnderTest.allCases)
    func heads(_ implementation: SigningStoreUnderTest) async throws {
        let (store, folder) = try implementation.make()
        let (other, otherFolder) = try implementation.make()
        defer { withExtendedLifetime((folder, otherFolder)) {} }
        for store in [store, other] {
            store.audit.use(.plain(1))
            try await rows.fill(store)
        }
        let ownNote = try await store.audit.seal(at: rows.at(9), certifying: nil)
        let strangeNote = try await other.audit.seal(at: rows.at(9), certifying: nil)
        let own = try #require(ownNote.flatMap { SignedNote($0) })
        let strange = try #require(strangeNote.flatMap { SignedNote($0) })
        #expect(try await store.audit.verify(.plain([1]), heads: [.note(strange)]).faults.map(\.place) == [.log])
        let later = SignedNote(
            text: own.text.replacingOccurrences(of: "\nseal 1\n", with: "\nseal 2\n"), signatures: own.signatures)
        #expect(try await !store.audit.verify(.plain([1]), heads: [.note(later)]).faults.isEmpty)
        // The right one beside it changes nothing.
        let right = KeptSeal.digest(number: 1, AuditFunctions.testing.link(of: Array(own.note.utf8)))
        let wrong = KeptSeal.digest(number: 1, AuditFunctions.testing.link(of: []))
        #expect(try await store.audit.verify(.plain([1]), heads: [wrong, right]).faults.map(\.place) == [.seal(1)])
        #expect(try await store.audit.verify(.plain([1]), heads: [right, right, .note(own)]).faults == [])
        for (number, text) in [(Int64(1), "another"), (2, own.note)] {
            let kept = KeptSeal.digest(number: number, AuditFunctions.testing.link(of: Array(text.utf8)))
            #expect(try await store.audit.verify(.plain([1]), heads: [kept]).faults.map(\.place) == [.seal(number)])
        }
    }
}
