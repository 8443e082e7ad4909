import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Synchronization
import Testing

@testable import OfferService

@Suite("Figures of what was signed and refused")
struct OfferTalliesTests {
    private static let day: Int64 = 1440
    /// Some midnight.
    private static let start: Int64 = 20_000 * day

    private let store = SigningStore.memory()
    private let clock = ManualClock((start + 2 * day) * 60_000)

    private func sign(_ minute: Int64, offers: UInt8 = 1) async throws {
        _ = try await store.ledger.record(
            LedgerSubmission(.sample(nonces: UUID.series(of: offers), at: minute * 60_000)))
    }

    private func refuse(_ minute: Int64, _ reasons: [String], app: AppPartition = "com.example.app") async throws {
        let offers = reasons.map { LedgerRefusals.Offer(productID: "p", offerID: "o", reason: $0, evidence: nil) }
        _ = try await store.ledger.record(
            LedgerSubmission(
                nil,
                refusals: LedgerRefusals(
                    refusedAt: Instant(milliseconds: minute * 60_000), partition: app, caller: "c", customerID: nil,
                    applicationUsername: nil, transactionID: nil, requestID: "r", offers: offers)))
    }

    @Test("Offers of the last 24 hours are counted to the minute, by app and reason")
    func lastDay() async throws {
        let now = Self.start + 2 * Self.day
        for minute in [now - Self.day, now - Self.day + 1, now - 1, now] { try await sign(minute, offers: 2) }
        try await refuse(now - Self.day, ["never-subscribed"])
        try await refuse(now - 5, ["no-history", "never-subscribed", "no-history"])
        try await refuse(now - 4, ["never-subscribed"], app: "other")
        let figures = try await OfferTallies(store: store.audit, system: clock.environment).figures()
        #expect(figures.isWhole)
        #expect(figures.since == Instant(milliseconds: (now - Self.day + 1) * 60_000))
        let apps = figures.apps { _ in true }
        #expect(apps.map(\.name) == ["com.example.app", "other"])
        #expect(apps.map(\.signed) == [6, 0])
        #expect(apps.map(\.refused) == [3, 1])
        #expect(
            figures.refusals { _ in true } == [.init(code: "never-subscribed", offers: 2), .init(code: "no-history", offers: 2)])
        #expect(figures.refusals { $0 == "other" } == [.init(code: "never-subscribed", offers: 1)])
        #expect(figures.signatures(ofLast: 3) { _ in true } == [0, 2, 2])
        #expect(figures.signatures(ofLast: 3) { $0 == "other" } == [0, 0, 0])
    }

    @Test("What a clock that is ahead has signed counts as of now")
    func future() async throws {
        let now = Self.start + 2 * Self.day
        try await sign(now + 90, offers: 3)
        let figures = try await OfferTallies(store: store.audit, system: clock.environment).figures()
        #expect(figures.signatures(ofLast: 2) { _ in true } == [0, 3])
    }

    @Test(
        "Whatever the size of blocks, every row counts once, however it comes and goes", arguments: [1, 2, 3, 7, 100] as [Int64])
    func blocks(rowsPerBlock: Int64) async throws {
        let table = TableTally(of: .signatures, in: store.audit, rowsPerBlock: rowsPerBlock)
        #expect(try await table.parts(since: 0).parts.isEmpty)
        for round in 1...12 as ClosedRange<Int64> {
            try await sign(Self.start + round, offers: UInt8(round % 3 + 1))
            for first in [Self.start, Self.start + 4, Self.start + round] {
                let (parts, since) = try await table.parts(since: first)
                let expected = (1...round).filter { Self.start + $0 >= first }.map { Int($0 % 3 + 1) }
                #expect(parts.reduce(0) { $0 + $1.offers } == expected.reduce(0, +))
                #expect(since == first)
            }
        }
    }

    @Test("A look reads so many blocks at most and reaches further back each time; full blocks are read once")
    func bound() async throws {
        for minute in 0..<10 as Range<Int64> { for _ in 0..<2 { try await sign(Self.start + minute) } }
        let log = CountedLog(store.audit)
        let table = TableTally(of: .signatures, in: log, rowsPerBlock: 2, maxBlocks: 4)
        // Ids begin with 1: blocks and minutes lie across each other, and the last block is not full.
        var (parts, since) = try await table.parts(since: Self.start)
        #expect(log.reads == 4)
        #expect(since == Self.start + 7)
        #expect(parts.filter { $0.minute >= since }.reduce(0) { $0 + $1.offers } == 6)
        (parts, since) = try await table.parts(since: Self.start)
        #expect(log.reads == 8)
        #expect(since == Self.start + 4)
        #expect(parts.filter { $0.minute >= since }.reduce(0) { $0 + $1.offers } == 12)
        for _ in 0..<3 { (parts, since) = try await table.parts(since: Self.start) }
        #expect(since == Self.start)
        #expect(parts.reduce(0) { $0 + $1.offers } == 20)
        let before = log.reads
        _ = try await table.parts(since: Self.start)
        #expect(log.reads == before + 1)
    }

    @Test("Of a store that is still being counted the figures say since when they are, and draw no more than that")
    func counting() {
        let figures = OfferFigures(
            at: Instant(milliseconds: 100 * 60_000), firstMinute: 95, isWhole: false,
            signed: [AuditTally.Part(minute: 97, partition: "a", outcome: "k", offers: 4)], refused: [])
        #expect(figures.since == Instant(milliseconds: 95 * 60_000))
        #expect(figures.signatures(ofLast: 6) { _ in true } == [0, 0, 4, 0, 0, 0])
        #expect(figures.signatures(ofLast: 7) { _ in true } == nil)
    }

    /// Counts how often rows are added up.
    private final class CountedLog: AuditStore {
        private let base: any AuditStore
        private let count = Mutex(0)

        var reads: Int { count.withLock { $0 } }

        init(_ base: any AuditStore) { self.base = base }

        var origin: String { base.origin }
        func record(_ events: [AuditEvent]) async throws(StoreError) { try await base.record(events) }
        func entries(_ table: AuditTable, _ filter: AuditFilter, before: Int64?, limit: Int) async throws(StoreError)
            -> [AuditEntry]
        { try await base.entries(table, filter, before: before, limit: limit) }
        func count(_ table: AuditTable, from: Instant?, until: Instant?) async throws(StoreError) -> Int64 {
            try await base.count(table, from: from, until: until)
        }
        func events(naming ids: Set<String>, partition: AppPartition, rows: Range<Int64>) async throws(StoreError) -> [AuditEvent]
        {
            try await base.events(naming: ids, partition: partition, rows: rows)
        }
        func firstRow(of table: AuditTable) async throws(StoreError) -> Int64? { try await base.firstRow(of: table) }
        func lastRow(of table: AuditTable) async throws(StoreError) -> Int64? { try await base.lastRow(of: table) }
        func tally(_ table: AuditTable, rows: Range<Int64>) async throws(StoreError) -> AuditTally {
            count.withLock { $0 += 1 }
            return try await base.tally(table, rows: rows)
        }
        func use(_ signer: AuditSigner?) { base.use(signer) }
        func seal(at now: Instant, certifying: [UInt8]?) async throws(StoreError) -> String? {
            try await base.seal(at: now, certifying: certifying)
        }
        func latestSeal() async throws(StoreError) -> String? { try await base.latestSeal() }
        func verify(_ trust: AuditTrust, heads: [SignedNote]) async throws(StoreError) -> AuditReport {
            try await base.verify(trust, heads: heads)
        }
        func walk(_ trust: AuditTrust) -> AuditWalk { base.walk(trust) }
        func step(_ walk: AuditWalk, limit: Int64) async throws(StoreError) -> AuditWalk {
            try await base.step(walk, limit: limit)
        }
        func erase(_ ids: Set<String>, bundleID: String, audit event: AuditEvent) async throws(StoreError) -> Int {
            try await base.erase(ids, bundleID: bundleID, audit: event)
        }
        func export(_ body: @escaping @Sendable (_ line: [UInt8]) throws -> Void) async throws(StoreError) {
            try await base.export(body)
        }
    }
}
