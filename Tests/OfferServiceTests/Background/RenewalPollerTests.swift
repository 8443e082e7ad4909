import AppStore
import AppStoreTesting
import EligibilityRules
import OfferStore
import OfferStoreTesting
import ServiceLifecycle
import Testing

@testable import OfferService

@Suite("Renewal poller", .timeLimit(.minutes(30)))
struct RenewalPollerTests {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    private let workshop: HistoryWorkshop
    private let appStore = AppStoreFixture()
    private let rounds: RoundTimes

    init() throws {
        workshop = try HistoryWorkshop()
        rounds = RoundTimes([.renewalPoll], system: workshop.clock.environment)
    }

    /// Runs a test while subscriptions are polled.
    private func polling(_ interval: Duration = .seconds(10), _ test: () async throws -> Void) async throws {
        try await appStore.serving(workshop) { serverAPI in
            try await ServiceGroup.serving(poller(serverAPI, interval), while: test)
        }
    }

    private func poller(_ serverAPI: ServerAPI, _ interval: Duration = .seconds(10)) -> RenewalPoller {
        RenewalPoller(
            apps: workshop.apps, refresh: workshop.refresh(serverAPI), histories: workshop.histories,
            interval: interval, replicas: ReplicaCount(),
            environment: RoundEnvironment(
                system: workshop.clock.environment, rounds: rounds, failures: workshop.failures, logger: workshop.log.logger))
    }

    /// Subscriptions whose periods end in a day, in the order in which they are due: at once.
    private func subscribe(_ ids: String...) async throws {
        let intake = workshop.refresh(nil).intake
        for id in ids {
            let transaction = try workshop.transaction(id)
            appStore.sell(id, transaction: transaction)
            _ = try await intake.take(signedTransactions: [transaction], customerID: "anna", from: .service, workshop.app)
            workshop.clock.pass(1)
        }
    }

    @Test("What is due is asked about in a round, and not again before it is due again")
    func round() async throws {
        try await subscribe("1000", "2000")
        try await polling {
            #expect(await workshop.clock.nextSleep() == .seconds(10))
            let once = ["history 1000", "subscriptions 1000", "history 2000", "subscriptions 2000"]
            #expect(appStore.asked == once)
            workshop.clock.pass(10_000)
            #expect(await workshop.clock.nextSleep() == .seconds(10))
            #expect(appStore.asked == once)
            #expect(rounds.ages.map(\.seconds) == [0])
            let renewed = try workshop.transaction("1001", original: "1000", days: 1...31)
            appStore.sell("1000", transaction: renewed)
            workshop.clock.pass(Self.day + Self.minute)
            #expect(await workshop.clock.nextSleep() == .seconds(10))
            #expect(appStore.asked == once + once)
        }
        let chains = try await workshop.histories.find(.sample(customer: "anna")).history.chains
        #expect(chains.flatMap(\.transactions).map(\.id).contains("1001"))
        #expect(workshop.log.lines == [])
    }

    @Test(
        "When to ask next follows from the period's end and from when it was asked",
        arguments: [
            (0, day + minute), (day + minute, day + 11 * minute), (day + 2 * hour, day + 3 * hour),
            (3 * day, 3 * day + 6 * hour), (21 * day, 22 * day),
        ] as [(Int64, Int64)])
    func nextPoll(asked: Int64, next: Int64) async throws {
        try await subscribe("1000")
        workshop.clock.pass(asked - 1)
        try await polling { _ = await workshop.clock.nextSleep() }
        #expect(try await workshop.nextPolls() == ["1000": workshop.start.advanced(by: next)])
    }

    @Test("What the App Store answered is not due again once it is stored, before the poller says when to ask next")
    func answered() async throws {
        try await subscribe("1000")
        try await appStore.serving(workshop) { serverAPI in
            _ = try await workshop.refresh(serverAPI).refresh(
                transactionID: "1000", customerID: nil, answersPoll: true, workshop.app)
        }
        #expect(try await workshop.nextPolls() == ["1000": workshop.start.advanced(by: Self.day + Self.minute)])
    }

    @Test(
        "A question without an answer is put off for ten minutes, and the rest until the next round",
        arguments: [
            (AppStoreStub.Reply.error(500, 5_000_000), "app-store-unavailable"), (.error(401, 0), "app-store-app-not-released"),
            (AppStoreStub.Reply(status: 404), "app-store-not-found"), (.json("[]"), "app-store-malformed-answer"),
        ] as [(AppStoreStub.Reply, String)])
    func failure(reply: AppStoreStub.Reply, code: String) async throws {
        try await subscribe("1000", "2000")
        appStore.answer(about: "1000", reply)
        try await polling { () async throws in
            #expect(await workshop.clock.nextSleep() == .seconds(10))
            #expect(appStore.asked == ["history 1000"])
            #expect(try await workshop.nextPolls()["1000"] == workshop.clock.now.advanced(by: 10 * Self.minute))
            #expect(rounds.ages[0].seconds > 0)
            appStore.answer(about: "1000", nil)
            workshop.clock.pass(10_000)
            #expect(await workshop.clock.nextSleep() == .seconds(10))
            #expect(appStore.asked == ["history 1000", "history 2000", "subscriptions 2000"])
            #expect(rounds.ages.map(\.seconds) == [0])
            workshop.clock.pass(10 * Self.minute)
            #expect(await workshop.clock.nextSleep() == .seconds(10))
            #expect(appStore.asked.suffix(2) == ["history 1000", "subscriptions 1000"])
        }
        #expect(workshop.log.failures == [code])
        #expect(workshop.log.lines == ["warning: polling is put off"])
    }

    @Test("What the App Store does not know is never asked about again, and delays no other")
    func final() async throws {
        try await subscribe("1000", "2000")
        appStore.answer(about: "1000", .error(404, 4_040_010))
        try await polling { _ = await workshop.clock.nextSleep() }
        #expect(appStore.asked == ["history 1000", "history 2000", "subscriptions 2000"])
        #expect(try await workshop.nextPolls().keys.sorted() == ["2000"])
        #expect(workshop.log.lines == ["notice: a subscription is not polled any more"])
        #expect(workshop.log.failures == [])
    }

    @Test("A store that is away is reported, each round is tried, and none of them counts as done")
    func storeAway() async throws {
        try await subscribe("1000")
        workshop.histories.isAway = true
        try await polling {
            for _ in 0..<3 {
                #expect(await workshop.clock.nextSleep() == .seconds(10))
                workshop.clock.pass(10_000)
            }
            _ = await workshop.clock.nextSleep()
            #expect(rounds.ages.map(\.seconds) == [30.001])
            #expect(appStore.asked == [])
            workshop.histories.isAway = false
            workshop.clock.pass(10_000)
            _ = await workshop.clock.nextSleep()
            #expect(appStore.asked == ["history 1000", "subscriptions 1000"])
            #expect(rounds.ages.map(\.seconds) == [0])
        }
        #expect(workshop.log.failures == Array(repeating: "store-unavailable", count: 4))
        #expect(workshop.log.lines == ["error: polling was cut short"])
    }

    @Test("What another process has claimed is not asked about, unless that one gives no answer for ten minutes")
    func claimed() async throws {
        try await subscribe("1000", "2000")
        let now = workshop.clock.now
        _ = try await workshop.histories.claimForPolling(
            partition: workshop.app.partition, dueAt: now, until: now.advanced(by: 10 * Self.minute), limit: 1)
        try await polling {
            _ = await workshop.clock.nextSleep()
            #expect(appStore.asked == ["history 2000", "subscriptions 2000"])
            workshop.clock.pass(10 * Self.minute)
            _ = await workshop.clock.nextSleep()
            #expect(appStore.asked.suffix(2) == ["history 1000", "subscriptions 1000"])
        }
        #expect(workshop.log.lines == [])
    }

    @Test("Processes that poll at once share the work: each subscription is asked about once")
    func atOnce() async throws {
        let ids = (1000..<1040).map(String.init)
        for id in ids { try await subscribe(id) }
        try await appStore.serving(workshop) { serverAPI in
            let pollers = (0..<3).map { _ in poller(serverAPI) }
            await withTaskGroup(of: Void.self) { group in
                for poller in pollers { group.addTask { _ = await poller.pollOnce() } }
            }
        }
        #expect(appStore.asked.sorted() == ids.flatMap { ["history \($0)", "subscriptions \($0)"] }.sorted())
        #expect(workshop.log.lines == [])
    }

    @Test("A question that a stop cuts off leaves nothing behind: it is as due as before")
    func stop() async throws {
        try await subscribe("1000")
        let due = try await workshop.nextPolls()
        appStore.answer(about: "1000", .silence)
        try await polling { #expect(await appStore.nextQuestion() == "history 1000") }
        #expect(try await workshop.nextPolls() == due)
        #expect(workshop.log.failures == [])
    }
}
