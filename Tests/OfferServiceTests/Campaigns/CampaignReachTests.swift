import AppStore
import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Reach of campaigns", .timeLimit(.minutes(30)))
struct CampaignReachTests {
    /// Customers without purchases, returned once the test opens.
    private actor SlowScan: CustomerScan {
        private var isOpen = false
        private(set) var scans = 0

        func open() { isOpen = true }

        nonisolated func customerCount(partition: AppPartition) async throws(StoreError) -> Int { 7 }

        func customers(
            partition: AppPartition,
            in places: ClosedRange<Int64>,
            limit: Int,
            whole: Bool
        ) async throws(StoreError) -> [PlacedCustomer] {
            scans += 1
            while !isOpen {
                if Task.isCancelled { throw StoreError(.unavailable, "cancelled") }
                try? await Task.sleep(for: .milliseconds(5))
            }
            return (0..<7 as Range<Int64>).filter(places.contains).map {
                PlacedCustomer(place: $0, customerID: "c\($0)", record: HistoryRecord(.unknown))
            }
        }
    }

    private struct Unexpected: Error { let what: String }

    private static let app = App(
        identity: AppIdentity(bundleID: "com.example.app", appAppleID: 42, environment: .production),
        rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(environment: .production),
        catalogue: Catalogue(products: []))

    private let scan = SlowScan()
    private let store = TemporaryStore()
    private let reach: CampaignReach

    init() { reach = Self.reach(scan, store) }

    private static func reach(_ scan: SlowScan, _ store: TemporaryStore, lifetime: Duration = .seconds(60))
        -> CampaignReach
    {
        CampaignReach(
            scan: scan, asking: AskingLook(exposures: store.marketing.exposures, audit: store.audit), threads: 2, system: .live,
            interest: .seconds(3600), lifetime: lifetime, niceness: 0)
    }

    private func audience(_ number: Double) -> Condition {
        .test(ConditionTest(.refundsCount, .below, .number(number)))
    }

    private func ask(_ number: Double, within patience: Duration = .milliseconds(30)) async throws -> CampaignReach.Progress {
        try await reach.count(audience(number), of: Self.app, within: patience)
    }

    @Test("A caller who waits learns how far it is, and gets the result by asking again; who asks later gets the same")
    func progress() async throws {
        var progress = CountingProgress(done: 0, total: nil)
        while progress.total == nil {
            guard case .counting(let found) = try await ask(1) else { throw Unexpected(what: "it cannot be done") }
            progress = found
        }
        #expect(progress == CountingProgress(done: 0, total: 7))
        await scan.open()
        guard case .counted(let count, let funnel, let asOf) = try await ask(1, within: .seconds(60)) else {
            throw Unexpected(what: "it was to be done")
        }
        #expect((count.customers, count.matching, count.sample.count) == (7, 7, 7) && funnel.stages.count == 1)
        let scans = await scan.scans
        guard case .counted(_, _, let again) = try await ask(1) else { throw Unexpected(what: "it was kept") }
        #expect(again == asOf)
        #expect(await scan.scans == scans)
    }

    @Test("What took longer to count than it is kept is there when it has ended, and goes its time after that")
    func lifetime() async throws {
        var lifetime = Duration.seconds(2)
        // On a machine that is too busy to ask again in time a result has to live for longer.
        while try await !isKept(for: lifetime) { lifetime *= 4 }
    }

    /// False if a result could not be asked for again in time.
    private func isKept(for lifetime: Duration) async throws -> Bool {
        let scan = SlowScan()
        let reach = Self.reach(scan, store, lifetime: lifetime)
        func ask() async throws -> Instant? {
            let found = try await reach.count(audience(1), of: Self.app, within: .milliseconds(200))
            if case .counted(_, _, let asOf) = found { return asOf } else { return nil }
        }
        #expect(try await ask() == nil)
        let begun = SystemEnvironment.live.now()
        try await Task.sleep(for: lifetime + .milliseconds(300))
        let opened = ContinuousClock.now
        await scan.open()
        var first: Instant?
        while first == nil { first = try await ask() }
        let scans = await scan.scans
        let again = try await ask()
        guard .now - opened < lifetime else { return false }
        // Not one that was begun anew.
        #expect(try #require(first) <= begun)
        #expect(again == first)
        #expect(await scan.scans == scans)
        try await Task.sleep(for: lifetime + .milliseconds(300))
        var second: Instant?
        while second == nil { second = try await ask() }
        #expect(second != first)
        #expect(await scan.scans > scans)
        return true
    }

    @Test("Who has asked for offers is read once for several audiences, and again later", arguments: [true, false])
    func asking(isKept: Bool) async throws {
        let scan = SlowScan()
        let reach = Self.reach(scan, store, lifetime: isKept ? .seconds(3600) : .zero)
        await scan.open()
        func asked(_ number: Double) async throws -> Int {
            let found = try await reach.count(audience(number), of: Self.app, within: .seconds(60))
            guard case .counted(let count, _, _) = found else { throw Unexpected(what: "it was to be done") }
            return count.asking.all
        }
        #expect(try await asked(1) == 0)
        // Less than a week of questions shows no pace.
        for (unit, days) in [("c1", 8), ("c2", 0)] as [(String, Int64)] {
            let exposure = Exposure(
                arm: ExposureArm(partition: Self.app.partition, campaign: "c", revision: 1, variant: "a", unitKind: .customer),
                unit: unit, at: SystemEnvironment.live.now().advanced(by: -days * 86_400_000),
                source: ExposureSource(caller: "caller"))
            _ = try await store.ledger.record(LedgerSubmission(nil, exposures: [exposure]))
        }
        #expect(try await asked(2) == (isKept ? 0 : 1))
    }

    @Test("So many are under way and no more, and all of them end with the service")
    func bounds() async throws {
        for number in 1...4 { _ = try await ask(Double(number)) }
        await #expect(throws: CampaignError.busy) { try await ask(5) }
        let service = Task { try await reach.run() }
        service.cancel()
        // The test has not opened: it ends because it is cancelled.
        try await service.value
        await #expect(throws: CampaignError.busy) { try await ask(6) }
    }
}
