import EligibilityRules
import OfferSigning
import OfferStore
import OfferStoreTesting
import Synchronization
import TestRandomness
import Testing

@testable import OfferService

@Suite("Campaign results", .timeLimit(.minutes(30)))
struct CampaignResultsDeskTests {
    private typealias Workshop = ResultsWorkshop

    @Test("What is stored now decides: late purchases, refunds and merged customers are right by themselves")
    func asStoredNow() async throws {
        let workshop = try await Workshop()
        try await workshop.publish(Workshop.campaign())
        try await workshop.expose([
            Workshop.exposure("ada", "half", signed: true), Workshop.exposure("ada", "half", day: 3),
            Workshop.exposure("bob", "half", day: 1), Workshop.exposure("carl", "control", day: 2),
            Workshop.exposure("dora", "control", day: 8), Workshop.exposure("eve", nil, day: 2),
            Workshop.exposure("old-eve", "half", day: 3), Workshop.exposure("of-another-kind", "half", kind: .appTransaction),
        ])
        try await workshop.buy([
            ("ada", Workshop.purchase("1", day: 4, price: 4990, offer: "half")), ("carl", Workshop.purchase("2", day: 5)),
            ("bob", Workshop.purchase("3", day: 16)), ("eve", Workshop.purchase("4", day: 4)),
        ])
        let first = try await workshop.report()
        #expect(first.asOf == workshop.now)
        #expect(first.tallies.map(\.exposed) == [2, 3] && first.tallies.map(\.matured) == [1, 3])
        #expect(first.tallies.map(\.converted) == [1, 1] && first.tallies.map(\.redeemed) == [0, 1])
        #expect(first.tallies.map(\.signed) == [0, 1] && first.holdout.converted == 1)
        #expect(first.results.variants.map { $0.revenue.map(\.value) } == [[9.99], [4.99 / 3]])

        // Bob had bought earlier, Carl has his money back, and two Eves are one.
        try await workshop.buy([
            ("bob", Workshop.purchase("5", day: 10)), ("carl", Workshop.purchase("2", day: 5, refundedOn: 19)),
        ])
        #expect(
            try await workshop.store.purchases.histories.join(
                alias: "old-eve", into: "eve", partition: "com.example.app", now: workshop.now) == .joined)
        let second = try await workshop.report(asOf: workshop.now)
        #expect(second.tallies.map(\.converted) == [0, 2] && second.tallies.map(\.refunded) == [1, 0])
        #expect(second.results.unitsInTwoVariants == 1 && second.holdout.exposed == 0)

        // As it would have looked before the refund, with what is known now.
        let before = try await workshop.report(asOf: .hours(18 * Workshop.day))
        #expect(before.tallies.map(\.converted) == [1, 2] && before.tallies.map(\.refunded) == [0, 0])
        #expect(try await workshop.report(asOf: .hours(2 * Workshop.day)).tallies.map(\.exposed) == [1, 2])
    }

    @Test("The Sandbox is counted apart")
    func sandbox() async throws {
        let workshop = try await Workshop()
        let sandbox = try #require(workshop.app.sandbox)
        try await workshop.publish(Workshop.campaign())
        try await workshop.expose([
            Workshop.exposure("ada", "half"), Workshop.exposure("tim", "control", in: sandbox.partition),
            Workshop.exposure("tom", "control", in: sandbox.partition),
        ])
        try await workshop.buy([("tim", Workshop.purchase("1", day: 3, in: .sandbox))], in: sandbox.partition)
        #expect(try await workshop.report().tallies.map(\.exposed) == [0, 1])
        let tested = try await workshop.report(sandbox)
        #expect(tested.tallies.map(\.exposed) == [2, 0] && tested.tallies.map(\.converted) == [1, 0])
    }

    @Test(
        "Apple accounts and original transactions are units as well",
        arguments: [BucketingUnit.appTransaction, .originalTransaction])
    func otherUnits(_ unit: BucketingUnit) async throws {
        let workshop = try await Workshop()
        try await workshop.publish(Workshop.campaign(unit: unit, metric: .retained))
        let name = unit == .appTransaction ? "701000" : "1000"
        try await workshop.expose([Workshop.exposure(name, "half", day: 3, kind: unit)])
        try await workshop.buy([(nil, Workshop.purchase("1000", day: 1))])
        #expect(try await workshop.report().tallies.map(\.converted) == [0, 1])
    }

    @Test("A revision that asks something else begins anew")
    func revisions() async throws {
        let workshop = try await Workshop()
        try await workshop.publish(Workshop.campaign(), Workshop.campaign(metric: .retained))
        try await workshop.expose([
            Workshop.exposure("ada", "half"), Workshop.exposure("ada", "half", day: 1, revision: 2),
            Workshop.exposure("bob", "half", day: 1, revision: 2),
        ])
        let report = try await workshop.report()
        #expect(report.revisions.numbers == 2...2 && report.unitsOfEarlierRevisions == 1)
        #expect(report.tallies.map(\.exposed) == [0, 1])
        // At that time there was the first one only.
        #expect(try await workshop.report(asOf: .hours(0)).revisions.numbers == 1...1)
    }

    @Test("What was never published has no results")
    func unpublished() async throws {
        let workshop = try await Workshop()
        await #expect(throws: CampaignError.unknownCampaign(CampaignName(Workshop.id, of: "com.example.app"))) {
            try await workshop.report()
        }
        try await workshop.publish()
        await #expect(throws: CampaignError.nothingPublished(CampaignName(Workshop.id, of: "com.example.app"))) {
            try await workshop.report()
        }
    }

    /// Of a hundred customers ten come back by themselves, thirteen with the offer.
    private static func simulated(_ count: Int) async throws -> ResultsWorkshop {
        let workshop = try await Workshop(today: 40)
        try await workshop.publish(Workshop.campaign())
        var random = SplitMix64(seed: 13)
        var exposures: [Exposure] = []
        var purchases: [(String?, PurchaseChain)] = []
        for number in 0..<count {
            let (name, day) = ("u\(number)", Int64(number * 20 / count))
            let isHalf = random.once(in: 2)
            exposures.append(Workshop.exposure(name, isHalf ? "half" : "control", day: day, signed: isHalf))
            if random.below(1000) < (isHalf ? 130 : 100) {
                let refund = random.once(in: 20) ? day + 9 : nil
                purchases.append(
                    (
                        name,
                        Workshop.purchase(
                            "\(1_000_000 + number)", day: day + Int64(random.below(16)), price: isHalf ? 4990 : 9990,
                            offer: isHalf ? "half" : nil, refundedOn: refund)
                    ))
            }
        }
        try await workshop.expose(exposures)
        try await workshop.buy(purchases)
        return workshop
    }

    @Test("The exported rows add up to the counts, and name no customer")
    func assignments() async throws {
        let workshop = try await Self.simulated(2000)
        let report = try await workshop.report()
        let rows = Mutex<[AssignmentRow]>([])
        try await workshop.desk.assignments(of: Workshop.id, workshop.app).write { more in
            rows.withLock { $0 += more }
        }
        let all = rows.withLock { $0 }
        #expect(all.count == 2000 && Set(all.map(\.pseudonym)).count == 2000)
        #expect(
            all.contains { $0.pseudonym == Crypto.hexadecimal(Crypto.sha256("spring-winback:export:u7".utf8).prefix(16)) })
        for (line, tally) in zip(report.results.variants, report.tallies) {
            let own = all.filter { $0.variant == line.tally.id && $0.setAside == nil }
            let matured = own.compactMap(\.outcome).filter(\.isMatured)
            #expect(own.count == tally.exposed && own.count(where: \.isSigned) == tally.signed)
            #expect(matured.count == tally.matured && matured.count { $0.convertedAt != nil } == tally.converted)
            #expect(matured.count(where: \.isRefunded) == tally.refunded && tally.refunded > 0)
            let sum = matured.flatMap(\.paid.payments).reduce(0) { $0 + $1.amount }
            #expect(
                line.tally.revenue == [RevenueSum(currency: "USD", amounts: matured.map { $0.paid.payments.first?.amount ?? 0 })])
            #expect(sum > 0)
        }
    }

    @Test("Who asks again at once gets the same results; later they are counted anew")
    func kept() async throws {
        let workshop = try await Self.simulated(200)
        let first = try await workshop.report()
        try await workshop.expose([Workshop.exposure("new", "half")])
        #expect(first.tallies.reduce(0) { $0 + $1.exposed } == 200)
        var exposed = 200
        while exposed == 200 {
            exposed = try await workshop.report().tallies.reduce(0) { $0 + $1.exposed }
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(exposed == 201)
    }

    @Test("What takes long tells how far it is, and answers with what was counted last")
    func progress() async throws {
        let slow = HeldExposures()
        let workshop = try await Workshop(patience: .milliseconds(50), exposures: slow)
        try await workshop.publish(Workshop.campaign())
        guard case .counting(let progress) = try await workshop.desk.results(of: Workshop.id, workshop.app) else {
            Issue.record("counted without exposures")
            return
        }
        #expect(progress == CountingProgress(done: 0, total: nil))
        slow.isHeld.withLock { $0 = false }
        while true {
            if case .counted(let report, nil) = try await workshop.desk.results(of: Workshop.id, workshop.app) {
                #expect(report.tallies.map(\.exposed) == [0, 1])
                slow.isHeld.withLock { $0 = true }
                break
            }
        }
        while true {
            if case .counted(let report, let progress?) = try await workshop.desk.results(of: Workshop.id, workshop.app) {
                #expect(report.tallies.map(\.exposed) == [0, 1] && progress.done == 0)
                slow.isHeld.withLock { $0 = false }
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test("A store that is away fails the counting, and the next one goes on")
    func away() async throws {
        let store = TemporaryStore()
        defer { withExtendedLifetime(store) {} }
        let histories = UnsteadyHistoryStore(store.histories)
        let workshop = try await Workshop(histories: histories)
        try await workshop.publish(Workshop.campaign())
        try await workshop.expose([Workshop.exposure("ada", "half")])
        histories.isAway = true
        await #expect(throws: StoreError.self) { try await workshop.report() }
        histories.isAway = false
        #expect(try await workshop.report().tallies.map(\.exposed) == [0, 1])
    }
}

/// One exposure, returned when the test lets it.
private final class HeldExposures: ExposureStore {
    let isHeld = Mutex(true)

    func exposures(
        of campaign: String,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        while isHeld.withLock({ $0 }) {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { throw StoreError(.unavailable, "cancelled") }
        }
        return [(1, ResultsWorkshop.exposure("ada", "half"))]
    }

    func exposures(
        ofUnits units: Set<String>,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered] { [] }

    func latestExposures(
        partition: AppPartition,
        before id: Int64?,
        limit: Int
    ) async throws(StoreError) -> [Numbered] { [] }

    func rehearsals(of campaign: String, bundleID: String) async throws(StoreError) -> [RehearsalCount] { [] }

    func rehearsals(ofUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [Exposure] { [] }

    func holds(onUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [ExclusionHold] { [] }
}
