import EligibilityRules
import FoundationEssentials
import Logging
import OfferStore
import OfferStoreTesting
import Synchronization
import Testing
import WireText

@testable import OfferService

@Suite("What is known of campaigns without counting them", .timeLimit(.minutes(30)))
struct CampaignWatchTests {
    private typealias Workshop = ResultsWorkshop

    private let workshop: ResultsWorkshop
    private let watch: CampaignWatch
    private let clock = ManualInstant(.hours(40 * Workshop.day))

    /// A clock that the test sets.
    private final class ManualInstant: Sendable {
        private let value: Mutex<Instant>

        init(_ instant: Instant) { value = Mutex(instant) }

        var now: Instant { value.withLock { $0 } }

        func advance(minutes: Int64) { value.withLock { $0 = $0.advanced(by: minutes * 60_000) } }
    }

    init() async throws {
        workshop = try await Workshop()
        let system = SystemEnvironment(
            now: { [clock] in clock.now }, sleep: { _ in }, randomBytes: SystemEnvironment.live.randomBytes)
        let store = workshop.store.signing
        let desk = CampaignResultsDesk(
            campaigns: store.marketing.campaigns, exposures: store.marketing.exposures,
            histories: workshop.store.purchases.histories, system: system)
        watch = CampaignWatch(
            results: desk, store: store.marketing.campaigns, limits: store.ledger, apps: AppDirectory([workshop.app]),
            system: system,
            failures: FailureLog(logger: .init(label: "test")) { Issue.record("\($0.reason)") })
    }

    private func figures() async throws -> CampaignFigures? {
        try await workshop.store.signing.marketing.campaigns.counted(of: "com.example.app").first.flatMap {
            CampaignFigures(stored: $0.figures)
        }
    }

    private func events() async throws -> [String] {
        try await workshop.store.signing.audit.entries(
            .events, AuditFilter(action: "campaign."), before: nil, limit: 99
        ).reversed().map {
            "\($0.event.action) \($0.event.object.id ?? "") \($0.event.object.after?.split(separator: ",").first ?? "")"
        }
    }

    /// Exposes so many customers to each variant, and has some of those with the offer buy.
    private func expose(_ counts: (control: Int, half: Int), buying: Int, prefix: String = "u", day: Int64 = 0) async throws {
        let units = (0..<counts.control).map { Workshop.exposure("\(prefix)c\($0)", "control", day: day) }
        try await workshop.expose(units + (0..<counts.half).map { Workshop.exposure("\(prefix)h\($0)", "half", day: day) })
        let seed = prefix == "u" ? 1_000_000 : 5_000_000
        try await workshop.buy(
            (0..<buying).map { ("\(prefix)h\($0)", Workshop.purchase("\(seed + $0)", day: day + 1)) }
                + (0..<min(buying, counts.control / 10)).map {
                    ("\(prefix)c\($0)", Workshop.purchase("\(seed + 500_000 + $0)", day: day + 1))
                })
    }

    @Test("A count leaves its figures, and a verdict is recorded once, with them")
    func verdict() async throws {
        try await workshop.publish(Workshop.campaign())
        try await expose((600, 600), buying: 200)
        await watch.countOnce()
        let first = try #require(try await figures())
        #expect(first.exposed == 1200 && first.revision == 1 && first.asOf == clock.now && !first.isSplitOff)
        #expect(
            first.variants == [
                .init(id: "control", exposed: 600, matured: 600, converted: 60),
                .init(id: "half", exposed: 600, matured: 600, converted: 200),
            ])
        #expect(first.verdict == .winner && first.winner == "half" && first.sentence.hasPrefix("half does better than control"))
        #expect(first.total == nil)
        #expect(try await events() == [#"campaign.verdict spring-winback {"code":"winner""#])
        // Not again within ten minutes, and then without a second event.
        clock.advance(minutes: 9)
        await watch.countOnce()
        #expect(try await figures() == first)
        clock.advance(minutes: 1)
        await watch.countOnce()
        #expect(try await figures()?.asOf == clock.now)
        #expect(try await events().count == 1)
    }

    @Test("A split that goes off is recorded, and so is its return; the verdict that it hides is not withdrawn")
    func split() async throws {
        try await workshop.publish(Workshop.campaign())
        try await expose((600, 600), buying: 200)
        await watch.countOnce()
        try await expose((0, 400), buying: 0, prefix: "v", day: 2)
        clock.advance(minutes: 10)
        await watch.countOnce()
        #expect(try await figures()?.isSplitOff == true)
        try await expose((400, 0), buying: 0, prefix: "w", day: 3)
        clock.advance(minutes: 10)
        await watch.countOnce()
        #expect(
            try await events() == [
                #"campaign.verdict spring-winback {"code":"winner""#,
                #"campaign.split-off spring-winback {"code":"sample-ratio-mismatch""#,
                #"campaign.split-off spring-winback {"code":"as-planned""#,
            ])
        // Off again on the same day: nothing more. A day later it is.
        try await expose((0, 500), buying: 0, prefix: "x", day: 4)
        clock.advance(minutes: 10)
        await watch.countOnce()
        #expect(try await figures()?.isSplitOff == true)
        #expect(try await events().count == 3)
        clock.advance(minutes: 24 * 60)
        await watch.countOnce()
        #expect(try await events().count == 4)
    }

    @Test("What is ended or was never published is not counted; a new revision is counted at once")
    func due() async throws {
        await watch.countOnce()
        #expect(try await figures() == nil)
        try await workshop.publish(Workshop.campaign(), Workshop.campaign(metric: .retained))
        await watch.countOnce()
        let first = try #require(try await figures())
        #expect(first.revision == 2 && first.exposed == 0 && first.verdict == .tooLittleData)
        let record = try #require(
            try await workshop.store.signing.marketing.campaigns.campaign(id: Workshop.id, bundleID: "com.example.app"))
        let publication = CampaignPublication(
            number: 3, document: Workshop.campaign().json.bytes, authors: ["a"], approved: .sample(), published: .sample())
        let next = record.next(published: publication, standing: .live)
        #expect(try await workshop.store.signing.marketing.campaigns.write(next, audit: []) == .written)
        clock.advance(minutes: 1)
        await watch.countOnce()
        #expect(try await figures()?.revision == 3)
        #expect(try await workshop.store.signing.marketing.campaigns.write(next.next(standing: .ended), audit: []) == .written)
        let last = try await figures()
        clock.advance(minutes: 60)
        await watch.countOnce()
        #expect(try await figures() == last)
        #expect(try await events().isEmpty)
    }

    @Test("What is ended is counted until the time of all customers is over, and its verdict is recorded")
    func ended() async throws {
        try await workshop.publish(Workshop.campaign())
        try await expose((600, 600), buying: 200, day: 38)
        await watch.countOnce()
        #expect(try await figures()?.variants.map(\.matured) == [0, 0])
        let record = try #require(
            try await workshop.store.signing.marketing.campaigns.campaign(id: Workshop.id, bundleID: "com.example.app"))
        #expect(try await workshop.store.signing.marketing.campaigns.write(record.next(standing: .ended), audit: []) == .written)
        clock.advance(minutes: 10)
        await watch.countOnce()
        let waiting = try #require(try await figures())
        #expect(waiting.asOf == clock.now && waiting.unitsPerDay == nil && waiting.daysNeeded == nil)
        clock.advance(minutes: 60 * 24 * 30)
        await watch.countOnce()
        let last = try #require(try await figures())
        #expect(last.variants.map(\.matured) == [600, 600] && last.verdict == .winner)
        #expect(try await events() == [#"campaign.verdict spring-winback {"code":"winner""#])
        clock.advance(minutes: 60)
        await watch.countOnce()
        #expect(try await figures() == last)
    }

    @Test("What was given of the limit of all customers is counted as signatures count it")
    func total() async throws {
        var campaign = Workshop.campaign()
        campaign.limits = CampaignLimits(total: 2)
        try await workshop.publish(campaign)
        for used in 0...2 {
            await watch.countOnce()
            let total = try #require(try await figures()?.total)
            #expect(total.used == used && total.max == 2 && total.isUsedUp == (used == 2))
            clock.advance(minutes: 10)
            guard used < 2 else { break }
            let nonce = UUID()
            let entry = LedgerEntry.sample(nonces: [nonce], at: clock.now.milliseconds)
            let scope = LimitScope(
                bundleID: "com.example.app", environment: .production, productID: "", offerID: Workshop.id)
            let reservation = Reservation(
                scope: scope, rule: .total(2, countsRefunded: true), names: [.total], madeAt: clock.now,
                expiresAt: clock.now.advanced(by: Reservation.lifetime), nonce: nonce)
            let outcome = try await workshop.store.signing.ledger.record(
                LedgerSubmission(entry, reservations: [reservation]))
            #expect(outcome == .recorded)
        }
    }

    @Test("Figures are stored and read alike")
    func roundTrip() throws {
        let figures = CampaignFigures(
            revision: 2, asOf: .hours(3), variants: [.init(id: "ä", exposed: 3, matured: 2, converted: 1)],
            verdict: .noDifference,
            sentence: "“No”", winner: nil, moneyDisagrees: true, isSplitOff: false, unitsPerDay: 4.25, daysNeeded: 7,
            total: .init(used: 10, max: 10),
            announced: CampaignAnnouncements())
        #expect(CampaignFigures(stored: figures.stored.bytes) == figures)
        #expect(CampaignFigures(stored: Array("{}".utf8)) == nil)
        #expect(try #require(figures.total).isUsedUp)
    }
}
