import AppStore
import AppStoreTesting
import EligibilityRules
import OfferStore
import OfferStoreTesting
import ServiceLifecycle
import Testing

@testable import OfferService

@Suite("Catching up on notifications", .timeLimit(.minutes(30)))
struct NotificationCatchUpTests {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let key = "notification-catch-up:com.example.app"

    private let workshop: HistoryWorkshop
    private let appStore = AppStoreFixture()
    private let rounds: RoundTimes

    init() throws {
        workshop = try HistoryWorkshop()
        rounds = RoundTimes([.catchUp(app: "com.example.app")], system: workshop.clock.environment)
    }

    /// Runs a test while it catches up every hour.
    private func catchingUp(_ test: () async throws -> Void) async throws {
        try await appStore.serving(workshop) { serverAPI in
            try await ServiceGroup.serving(catchUp(serverAPI, workshop.store.progress), while: test)
        }
    }

    private func catchUp(_ serverAPI: ServerAPI, _ progress: any ProgressStore, holder: String = "this") -> NotificationCatchUp {
        NotificationCatchUp(
            apps: workshop.apps, intake: workshop.notifications, serverAPIs: ["com.example.app": serverAPI],
            leases: workshop.store.leases, progress: progress, interval: .seconds(3600), holder: holder,
            environment: RoundEnvironment(
                system: workshop.clock.environment, rounds: rounds, failures: workshop.failures, logger: workshop.log.logger))
    }

    /// Progress that another process makes right after it is read.
    private struct OvertakenProgress: ProgressStore {
        let store: any ProgressStore
        let overtake: @Sendable () async -> Void

        func progress(_ name: String) async throws(StoreError) -> String? {
            let value = try await store.progress(name)
            await overtake()
            return value
        }

        func setProgress(_ name: String, to value: String) async throws(StoreError) {
            try await store.setProgress(name, to: value)
        }
    }

    private func notification(_ uuid: String, forged: Bool = false) throws -> String {
        let transaction = try workshop.transaction("1000\(uuid)", original: "1000")
        return try workshop.sign(
            """
            {"notificationType":"DID_RENEW","notificationUUID":"\(uuid)","version":"2.0","signedDate":\(workshop.start.milliseconds),
            "data":{"appAppleId":42,"bundleId":"com.example.app","environment":"Production","signedTransactionInfo":"\(transaction)"}}
            """, forged: forged)
    }

    /// What it asks for a time, in ms from the start.
    private func question(_ times: ClosedRange<Int64>, page: Int? = nil) -> String {
        let (begin, end) = (workshop.start.advanced(by: times.lowerBound), workshop.start.advanced(by: times.upperBound))
        return #"notifications {"startDate":\#(begin.milliseconds),"endDate":\#(end.milliseconds)}"#
            + (page.map { " \($0)" } ?? "")
    }

    private func stored() async throws -> [String] {
        let records = try await workshop.histories.wholeNotifications(
            partition: "com.example.app", originalTransactionID: "1000")
        return records.map { String(decoding: $0.key, as: UTF8.self) }.sorted()
    }

    private func isLeaseFree() async throws -> Bool {
        try await workshop.store.leases.acquire("notification-catch-up", holder: "another", milliseconds: 0)
    }

    @Test("The last day is fetched at the start, page by page, and from then on what has come since, with ten minutes to spare")
    func round() async throws {
        appStore.list([[try notification("1"), try notification("2")], [try notification("3")]])
        try await catchingUp {
            #expect(await workshop.clock.nextSleep() == .seconds(3600))
            #expect(try await stored() == ["1", "2", "3"])
            #expect(try await isLeaseFree())
            appStore.list([[try notification("3"), try notification("4")]])
            workshop.clock.pass(Self.hour)
            #expect(rounds.ages.map(\.seconds) == [3600])
            #expect(await workshop.clock.nextSleep() == .seconds(3600))
            #expect(try await stored() == ["1", "2", "3", "4"])
            #expect(rounds.ages.map(\.seconds) == [0])
            appStore.list([])
            workshop.clock.pass(Self.hour)
            #expect(await workshop.clock.nextSleep() == .seconds(3600))
        }
        #expect(
            appStore.asked == [
                question(-24 * Self.hour...0), question(-24 * Self.hour...0, page: 1),
                question(-10 * Self.minute...Self.hour), question(50 * Self.minute...2 * Self.hour),
            ])
        // A round that brought nothing new says nothing.
        #expect(workshop.log.lines == ["info: fetched missed notifications", "info: fetched missed notifications"])
    }

    @Test(
        "After a restart it goes on where it was, as far back as the App Store can look",
        arguments: [(2 * hour, 2 * hour + 10 * minute), (400 * 24 * hour, 180 * 24 * hour - hour), (minute, 11 * minute)]
            as [(Int64, Int64)])
    func restart(away: Int64, lookedBack: Int64) async throws {
        let last = workshop.start.advanced(by: -away)
        try await workshop.store.progress.setProgress(Self.key, to: "\(last.milliseconds)")
        try await catchingUp { _ = await workshop.clock.nextSleep() }
        #expect(appStore.asked == [question(-lookedBack...0)])
        #expect(try await workshop.store.progress.progress(Self.key) == "\(workshop.start.milliseconds)")
    }

    @Test(
        "A round that fails is reported, does not count, and the next one asks for all of its time",
        arguments: [(true, "store-unavailable"), (false, "app-store-unavailable")])
    func failure(isStore: Bool, code: String) async throws {
        appStore.list([[try notification("1")], [try notification("2")]])
        if isStore { workshop.histories.isAway = true } else { appStore.answer(about: "notifications", .error(500, 5_000_000)) }
        try await catchingUp { () async throws in
            #expect(await workshop.clock.nextSleep() == .seconds(3600))
            #expect(try await workshop.store.progress.progress(Self.key) == nil)
            workshop.histories.isAway = false
            appStore.answer(about: "notifications", nil)
            workshop.clock.pass(Self.hour)
            #expect(rounds.ages.map(\.seconds) == [3600])
            #expect(await workshop.clock.nextSleep() == .seconds(3600))
            #expect(try await stored() == ["1", "2"])
            #expect(rounds.ages.map(\.seconds) == [0])
        }
        #expect(appStore.asked[1] == question(-23 * Self.hour...Self.hour))
        #expect(workshop.log.failures == [code])
    }

    @Test("Before an app's release there is nothing to fetch from Production: that is no failure, and after it all is asked for")
    func beforeRelease() async throws {
        appStore.list([[try notification("1")]])
        appStore.answer(about: "notifications", AppStoreStub.Reply(status: 401))
        try await catchingUp { () async throws in
            #expect(await workshop.clock.nextSleep() == .seconds(3600))
            #expect(rounds.ages.map(\.seconds) == [0] && workshop.log.failures == [])
            #expect(try await workshop.store.progress.progress(Self.key) == nil)
            appStore.answer(about: "notifications", nil)
            workshop.clock.pass(Self.hour)
            #expect(await workshop.clock.nextSleep() == .seconds(3600))
        }
        #expect(try await stored() == ["1"])
        #expect(appStore.asked.last == question(-23 * Self.hour...Self.hour))
    }

    @Test("One that is not authentic is reported and left out, and keeps no other away")
    func forged() async throws {
        appStore.list([[try notification("1", forged: true), try notification("2")]])
        try await catchingUp { _ = await workshop.clock.nextSleep() }
        #expect(try await stored() == ["2"])
        #expect(try await workshop.store.progress.progress(Self.key) != nil)
        #expect(workshop.log.failures == ["untrusted-root"])
    }

    @Test("While another process has the lease it waits, and what that one has just done is not done again but at the start")
    func lease() async throws {
        func acquire(_ milliseconds: Int64) async throws {
            #expect(
                try await workshop.store.leases.acquire("notification-catch-up", holder: "another", milliseconds: milliseconds))
        }
        try await acquire(4000)
        try await catchingUp {
            for _ in 0..<2 {
                #expect(await workshop.clock.nextSleep() == .seconds(2))
                #expect(appStore.asked == [])
                workshop.clock.pass(2000)
            }
            #expect(await workshop.clock.nextSleep() == .seconds(3600))
            #expect(appStore.asked.count == 1)
            let halfAgo = workshop.clock.now.advanced(by: Self.hour - Self.hour / 2 + 1)
            try await workshop.store.progress.setProgress(Self.key, to: "\(halfAgo.milliseconds)")
            workshop.clock.pass(Self.hour)
            #expect(await workshop.clock.nextSleep() == .seconds(3600))
            #expect(appStore.asked.count == 1)
            workshop.clock.pass(Self.hour)
            #expect(await workshop.clock.nextSleep() == .seconds(3600))
            #expect(appStore.asked.count == 2)
        }
        #expect(workshop.log.lines == [])
    }

    @Test("Of two processes that catch up at once, one asks")
    func twoAtOnce() async throws {
        try await appStore.serving(workshop) { serverAPI in
            let another = catchUp(serverAPI, workshop.store.progress, holder: "another")
            let overtaken = OvertakenProgress(store: workshop.store.progress) { _ = await another.catchUpOnce(always: false) }
            #expect(await catchUp(serverAPI, overtaken).catchUpOnce(always: false))
            #expect(await another.catchUpOnce(always: false))
        }
        #expect(appStore.asked.count == 1)
    }

    @Test("A stop in the middle of a page gives the lease back, and forgets no time")
    func stop() async throws {
        appStore.answer(about: "notifications", .silence)
        try await catchingUp { #expect(await appStore.nextQuestion() == question(-24 * Self.hour...0)) }
        #expect(try await workshop.store.progress.progress(Self.key) == nil)
        #expect(try await isLeaseFree())
        #expect(workshop.log.failures == [])
    }
}
