import AppStore
import AppStoreTesting
import EligibilityRules
import OfferStore
import OfferStoreTesting
import ServiceLifecycle
import Testing

@testable import OfferService

@Suite("Refreshing lapsed subscriptions", .timeLimit(.minutes(30)))
struct LapsedRefresherTests {
    private static let hour: Int64 = 3_600_000

    private let workshop: HistoryWorkshop
    private let appStore = AppStoreFixture()

    init() throws { workshop = try HistoryWorkshop() }

    private func refresher(_ serverAPI: ServerAPI) -> LapsedRefresher {
        LapsedRefresher(
            refresh: workshop.refresh(serverAPI), apps: workshop.apps, interval: 24 * Self.hour,
            system: workshop.clock.environment, failures: workshop.failures)
    }

    /// The state of a subscription whose period ended some days ago.
    ///
    /// - Parameter cancelled: how many hours ago the App Store said so; nil: it has said nothing.
    private func status(_ id: String, endedDaysAgo days: Int64 = 2, cancelled: Int64? = nil) throws -> SubscriptionStatus {
        let identity = workshop.app.identity
        var chains = [try workshop.reader.transaction(workshop.transaction(id, days: -30 - days ... -days), for: identity)]
        if let cancelled {
            let signedAt = workshop.start.advanced(by: -cancelled * Self.hour).milliseconds
            let info = try workshop.sign(
                """
                {"originalTransactionId":"\(id)","autoRenewStatus":0,"expirationIntent":1,"signedDate":\(signedAt),
                "environment":"Production"}
                """)
            chains.append(try workshop.reader.renewalInfo(info, for: identity))
        }
        return SubscriptionStatus(of: PurchaseHistory(chains).chains, at: workshop.start)
    }

    /// Asks about one more, and waits until that is done: then all before it are.
    private func finish(_ refresher: LapsedRefresher) async throws {
        appStore.sell("9999", transaction: try workshop.transaction("9999"))
        refresher.look(at: try status("9999"), of: workshop.app, now: workshop.clock.now.advanced(by: 1000 * Self.hour))
        while let question = await appStore.nextQuestion(), question != "subscriptions 9999" {}
    }

    private func questions() -> [String] { appStore.asked.filter { $0.hasPrefix("history") && $0 != "history 9999" } }

    @Test("A lapsed subscription of which nothing recent is known is asked about once in a while, and what is new is merged")
    func asking() async throws {
        let silent = try status("1000")
        let cancelled = try status("2000", cancelled: 25)
        let heardOf = try status("3000", cancelled: 23)
        let current = try status("4000", endedDaysAgo: -2)
        for id in ["1000", "2000", "3000", "4000"] { appStore.sell(id, transaction: try workshop.transaction(id)) }
        try await appStore.serving(workshop) { serverAPI in
            let refresher = refresher(serverAPI)
            try await ServiceGroup.serving(refresher) {
                for time in [0, 0, Self.hour - 1, 23 * Self.hour, 24 * Self.hour, 24 * Self.hour] {
                    for status in [silent, cancelled, heardOf, current] {
                        refresher.look(at: status, of: workshop.app, now: workshop.start.advanced(by: time))
                    }
                }
                try await finish(refresher)
            }
        }
        #expect(
            questions() == [
                "history 1000", "history 2000", "history 1000", "history 3000", "history 1000", "history 2000",
            ])
        #expect(try await workshop.histories.ids(.sample(transaction: "1000")) == ["1000"])
        #expect(workshop.log.lines == [])
    }

    @Test(
        "A question without an answer is reported, one with a final answer is not, and the others are asked about",
        arguments: [
            (AppStoreStub.Reply.error(500, 5_000_000), ["app-store-unavailable"]), (.error(404, 4_040_010), []),
            (AppStoreStub.Reply(status: 404), ["app-store-not-found"]),
        ] as [(AppStoreStub.Reply, [String])])
    func failure(reply: AppStoreStub.Reply, failures: [String]) async throws {
        appStore.answer(about: "1000", reply)
        try await appStore.serving(workshop) { serverAPI in
            let refresher = refresher(serverAPI)
            try await ServiceGroup.serving(refresher) {
                refresher.look(at: try status("1000"), of: workshop.app, now: workshop.start)
                try await finish(refresher)
            }
        }
        #expect(questions() == ["history 1000"])
        #expect(workshop.log.failures == failures)
    }

    @Test("A question that was not answered is asked again ten minutes later, one that was is not")
    func again() async throws {
        appStore.answer(about: "1000", .error(500, 5_000_000))
        appStore.sell("2000", transaction: try workshop.transaction("2000"))
        let ten: Int64 = 600_000
        try await appStore.serving(workshop) { serverAPI in
            let refresher = refresher(serverAPI)
            try await ServiceGroup.serving(refresher) {
                for (last, time) in [("9001", 0), ("9002", ten - 1), ("9003", ten), ("9004", ten + 1), ("9005", 2 * ten)] {
                    workshop.clock.leap(workshop.start.milliseconds + time - workshop.clock.now.milliseconds)
                    if last == "9004" {
                        appStore.sell("1000", transaction: try workshop.transaction("1000"))
                        appStore.answer(about: "1000", nil)
                    }
                    appStore.sell(last, transaction: try workshop.transaction(last))
                    for id in ["1000", "2000", last] {
                        refresher.look(at: try status(id), of: workshop.app, now: workshop.clock.now)
                    }
                    while let question = await appStore.nextQuestion(), question != "subscriptions \(last)" {}
                }
            }
        }
        let asked = questions().filter { $0.hasSuffix("000") }
        #expect(asked == ["history 1000", "history 2000", "history 1000", "history 1000"])
    }

    @Test("A stop cuts a question off, and is no failure")
    func stop() async throws {
        appStore.answer(about: "1000", .silence)
        try await appStore.serving(workshop) { serverAPI in
            let refresher = refresher(serverAPI)
            try await ServiceGroup.serving(refresher) {
                refresher.look(at: try status("1000"), of: workshop.app, now: workshop.start)
                #expect(await appStore.nextQuestion() == "history 1000")
            }
        }
        #expect(workshop.log.failures == [])
    }
}
