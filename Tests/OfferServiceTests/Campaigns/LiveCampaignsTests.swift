import AppStore
import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing
import WireText

@testable import OfferService

@Suite("Live campaigns")
struct LiveCampaignsTests {
    private static let bundleID = "com.example.app"
    private let store = TemporaryStore()
    private let log = RecordedLog()
    private let app = App(
        identity: AppIdentity(bundleID: Self.bundleID, appAppleID: nil, environment: .production),
        rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(),
        catalogue: Catalogue(products: [
            SubscriptionProduct(
                id: "pro", groupID: "1", level: 1, period: "P1M", introductoryOffer: nil,
                promotionalOffers: [ExactText("half"): SubscriptionOffer(kind: .freeTrial, period: "P1W")])
        ]))

    private func live() -> LiveCampaigns {
        LiveCampaigns(store: store.marketing.campaigns, apps: AppDirectory([app]), failures: log.makeFailureLog())
    }

    private func campaign(_ id: String, offer: String = "half", weight: Int = 10_000) -> Campaign {
        let offers = [CampaignVariant.Offer(productID: "pro", offerID: offer)]
        return Campaign(
            id: id, name: id, bundleID: Self.bundleID,
            design: CampaignDesign(variants: [CampaignVariant(id: "v", weight: weight, offers: offers)]))
    }

    private func publish(
        _ id: String,
        _ document: [UInt8],
        number: Int = 1,
        standing: CampaignStanding = .live
    ) async throws {
        let published = CampaignPublication.sample(number, document: document)
        let known = try await store.marketing.campaigns.campaign(id: id, bundleID: Self.bundleID)
        let record =
            known?.next(published: published, standing: standing)
            ?? .sample(id, of: Self.bundleID, published: published, standing: standing)
        #expect(try await store.marketing.campaigns.write(record) == .written)
    }

    private func follow(_ live: LiveCampaigns) async throws {
        try await live.follow(try await store.processes.changes.revisions()[.campaigns] ?? 0)
    }

    private func counting(_ live: LiveCampaigns) -> [String] {
        live.campaigns(of: app).compiled.revisions.map { "\($0.campaign.id) \($0.number)" }
    }

    @Test("What cannot be read or compiled is reported by its name, once, and stops no other campaign")
    func faults() async throws {
        let live = live()
        #expect(counting(live) == [])
        let texts: [(String, [UInt8])] = [
            ("no-json", Array("{".utf8)), ("no-campaign", Array(#"{"id":"no-campaign"}"#.utf8)),
            ("unknown-fact", Array(#"{"id":"unknown-fact","audience":{"fact":"mood","is":"good"}}"#.utf8)),
            ("other-text", campaign("good").json.bytes), ("no-offer", campaign("no-offer", offer: "gone").json.bytes),
            ("no-shares", campaign("no-shares", weight: 9_999).json.bytes), ("good", campaign("good").json.bytes),
        ]
        for (id, document) in texts { try await publish(id, document) }
        try await publish("over", campaign("over").json.bytes, standing: .ended)
        try await publish("paused", Array("{".utf8), standing: .paused)
        try await follow(live)
        #expect(counting(live) == ["good 1"])
        #expect(live.campaigns(of: app).paused == ["paused"])
        let faulty = texts.map(\.0).filter { $0 != "good" }
        #expect(live.campaigns(of: app).faults.map(\.id).sorted() == faulty.sorted())
        #expect(live.campaigns(of: app).faults.allSatisfy { !$0.reason.isEmpty })
        #expect(Set(log.lines) == Set(faulty.map { "error: the campaign \($0) does not count" }))
        try await publish("later", campaign("later").json.bytes)
        try await follow(live)
        #expect(counting(live) == ["good 1", "later 1"])
        #expect(log.lines.count == faulty.count && log.failures.count == faulty.count)
        try await publish("no-json", campaign("no-json").json.bytes, number: 2)
        try await follow(live)
        #expect(counting(live) == ["good 1", "later 1", "no-json 2"])
    }

    @Test("A catalogue that a reload has replaced counts from the next look on, and what is known of groups is kept")
    func reload() async throws {
        let apps = AppDirectory([app])
        let live = LiveCampaigns(store: store.marketing.campaigns, apps: apps, failures: log.makeFailureLog())
        try await publish("good", campaign("good").json.bytes)
        try await follow(live)
        #expect(counting(live) == ["good 1"])
        _ = app.groups.note([ExactText("other"): "7"])
        let without = App(
            identity: app.identity, rules: app.rules, policy: app.policy, catalogue: Catalogue(products: []))
        apps.replace(with: AppDirectory([without]))
        #expect(try apps.app(Self.bundleID) === without)
        #expect(without.groups.current.group(ofProduct: "other") == "7")
        try await follow(live)
        #expect(counting(live) == [] && live.campaigns(of: app).faults.map(\.id) == ["good"])
        apps.replace(with: AppDirectory([app]))
        try await follow(live)
        #expect(counting(live) == ["good 1"])
    }

    @Test("A change counts from the next look on: published, paused, resumed, ended")
    func changes() async throws {
        let live = live()
        let watch = ChangeWatch(
            feed: store.processes.changes, followers: [live], system: .live, failures: log.makeFailureLog())
        let steps: [(number: Int, standing: CampaignStanding, counts: [String])] = [
            (1, .live, ["a 1"]), (2, .live, ["a 2"]), (2, .paused, []), (2, .live, ["a 2"]), (2, .ended, []),
        ]
        for (number, standing, counts) in steps {
            try await publish("a", campaign("a").json.bytes, number: number, standing: standing)
            try await watch.lookOnce()
            #expect(counting(live) == counts, "\(number), \(standing)")
        }
        #expect(log.lines == [])
    }

    @Test("The environments of an app share its campaigns, and another app has none of them")
    func apps() async throws {
        let live = live()
        try await publish("a", campaign("a").json.bytes)
        try await follow(live)
        let sandbox = App(
            identity: AppIdentity(bundleID: Self.bundleID, appAppleID: nil, environment: .sandbox),
            rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(), catalogue: app.catalogue, place: .sandbox)
        #expect(live.campaigns(of: sandbox) === live.campaigns(of: app))
        let other = App(
            identity: AppIdentity(bundleID: "com.example.other", appAppleID: nil, environment: .production),
            rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(), catalogue: app.catalogue)
        #expect(live.campaigns(of: other).isEmpty)
    }

    @Test("Only what asks for more than the gist of a history has all of it read")
    func extent() async throws {
        var asking = campaign("a")
        for (audience, needsWhole) in [
            (#"{"fact":"subscription.state","group":"1","oneOf":["expired"]}"#, false),
            (#"{"attribute":"country","is":"US"}"#, false), (#"{"fact":"offers.redeemedCount","below":2}"#, true),
        ] {
            asking.audience = try Campaign(
                json: JSONValue(
                    parsing: Array(
                        #"{"id":"a","name":"a","bundleId":"b","variants":[],"audience":\#(audience)}"#.utf8))
            ).audience
            #expect(CompiledCampaigns([CampaignRevision(asking, number: 1)], segments: .none).needsWholeHistory == needsWhole)
        }
        asking.audience = nil
        asking.design.unit = .appTransaction
        #expect(CompiledCampaigns([CampaignRevision(asking, number: 1)], segments: .none).needsWholeHistory)
    }
}
