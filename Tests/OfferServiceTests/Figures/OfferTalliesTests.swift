import EligibilityRules
import Foundation
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Figures of what was signed and refused")
struct OfferTalliesTests {
    private static let day: Int64 = 1440
    /// Some midnight.
    private static let start: Int64 = 20_000 * day

    private let store = TemporaryStore()
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
                    refusedAt: Instant(milliseconds: minute * 60_000), partition: app,
                    request: LedgerRequest(id: "r", caller: "c"), offers: offers)))
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

    @Test("Of a store that is still being counted the figures say since when they are, and draw no more than that")
    func counting() {
        let figures = OfferFigures(
            at: Instant(milliseconds: 100 * 60_000), firstMinute: 95, isWhole: false,
            signed: [AuditTally.Part(minute: 97, partition: "a", outcome: "k", offers: 4)], refused: [])
        #expect(figures.since == Instant(milliseconds: 95 * 60_000))
        #expect(figures.signatures(ofLast: 6) { _ in true } == [0, 0, 4, 0, 0, 0])
        #expect(figures.signatures(ofLast: 7) { _ in true } == nil)
    }
}
