import AppStore
import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing
import WireText

@testable import OfferService

@Suite("Segment desk")
struct SegmentDeskTests {
    private static let bundleID = "com.example.app"
    private static let now = Instant(milliseconds: 1_900_000_000_000)
    private let store = TemporaryStore()
    private let app = App(
        identity: AppIdentity(bundleID: Self.bundleID, appAppleID: nil, environment: .production),
        rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(),
        catalogue: Catalogue(products: [
            SubscriptionProduct(
                id: "pro", groupID: "1", level: 1, period: "P1M", introductoryOffer: nil,
                promotionalOffers: [ExactText("half"): SubscriptionOffer(kind: .freeTrial, period: "P1W")])
        ]))
    private let ann = Origin(actor: "ann")
    private let ben = Origin(actor: "ben")
    private let campaigns: CampaignAdministration

    init() async throws {
        campaigns = CampaignAdministration(
            store: store.marketing.campaigns, segments: store.marketing.segments, exposures: store.marketing.exposures,
            access: store.credentials.access,
            apps: AppDirectory([app]),
            system: SystemEnvironment(now: { Self.now }, randomBytes: SystemEnvironment.live.randomBytes))
        for (id, role) in [("root", "admin"), ("ann", "marketing"), ("ben", "approver"), ("cam", "approver")] {
            try await store.credentials.access.add(
                AccessRecord(
                    id: id, secretDigest: [], role: role, apps: nil, note: "",
                    lifetime: AccessLifetime(createdAt: Instant(milliseconds: 1), createdBy: id == "root" ? nil : "root")))
        }
    }

    private func lapsed(below days: Double) -> Condition {
        .test(ConditionTest(.subscriptionDaysSinceLapse, group: "1", .below, .number(days)))
    }

    @discardableResult
    private func save(_ id: String, _ condition: Condition, seen: Int64? = nil) async throws -> ManagedSegment {
        let segment = Segment(id: id, name: id, condition: condition)
        guard case .done(let saved) = try await campaigns.segments.save(segment, of: app, seen: seen, by: ann, reason: "why")
        else { throw Lost() }
        return saved
    }

    private struct Lost: Error {}

    private func campaign(_ id: String, from: Instant? = nil) -> Campaign {
        Campaign(
            id: id, name: id, bundleID: Self.bundleID, schedule: CampaignSchedule(from: from, until: nil),
            audience: .all([.segment("lapsed"), .test(ConditionTest(.refundsCount, .is, 0))]),
            design: CampaignDesign(variants: [
                CampaignVariant(
                    id: "v", weight: 10_000, offers: [CampaignVariant.Offer(productID: "pro", offerID: "half")])
            ]))
    }

    private func make(_ campaign: Campaign) async throws -> ManagedCampaign {
        guard
            case .done(let made) = try await campaigns.create(campaign.id, CampaignText(json: campaign.json), of: app, by: ann)
        else { throw Lost() }
        return made
    }

    private func publish(_ id: String) async throws {
        _ = try await campaigns.take([.submit], id, of: app, seen: nil, by: ann)
        _ = try await campaigns.take([.approve, .publish], id, of: app, seen: nil, by: ben)
    }

    @Test("A change makes the next version, and the log has both in full; the same once more makes none")
    func versions() async throws {
        #expect(try await save("lapsed", lapsed(below: 90)).version == 1)
        #expect(try await save("lapsed", lapsed(below: 90)).version == 1)
        #expect(try await save("lapsed", lapsed(below: 30), seen: 1).version == 2)
        await #expect(throws: Lost.self) { try await save("lapsed", lapsed(below: 7), seen: 1) }
        let entries = try await store.audit.entries(.events, AuditFilter(action: "segment."), before: nil, limit: 9)
        let event = try #require(entries.first?.event)
        #expect(entries.count == 2 && event.actor == "ann" && event.reason == "why")
        #expect(event.object.before?.hasPrefix("version 1 {") == true && event.object.before?.contains("\"below\":90") == true)
        #expect(event.object.after?.hasPrefix("version 2 {") == true && event.object.after?.contains("\"below\":30") == true)
    }

    @Test(
        "One with an error is not saved",
        arguments: [
            ("Not an id", Condition.segment("lapsed")), ("new", .test(ConditionTest(.refundsCount, .is, 0))),
            ("self", .segment("self")), ("other", .segment("missing")), ("empty", .all([])),
        ])
    func faults(id: String, condition: Condition) async throws {
        await #expect(throws: CampaignError.self) { try await save(id, condition) }
        #expect(try await campaigns.segments.list(of: Self.bundleID).isEmpty)
    }

    @Test("A draft has a copy of the segment as it is when the draft is saved, and the published revision keeps it")
    func copies() async throws {
        try await save("lapsed", lapsed(below: 90))
        let made = try await make(campaign("c"))
        #expect(made.text?.campaign?.segments.map(\.version) == [1])
        try await publish("c")
        try await save("lapsed", lapsed(below: 30))
        let live = try await campaigns.campaign("c", of: app)
        #expect(live.published?.text.campaign?.segments.map(\.condition) == [lapsed(below: 90)])
        // It has begun: a change of its name must not bring other customers.
        var renamed = campaign("c")
        renamed.name = "Another"
        _ = try await campaigns.save("c", CampaignText(json: renamed.json), of: app, seen: nil, by: ann)
        let draft = try #require(try await campaigns.campaign("c", of: app).draft)
        #expect(draft.text.campaign?.segments.map(\.condition) == [lapsed(below: 90)])
        try await publish("c")
        #expect(try await campaigns.uses(of: "lapsed", app).map(\.isFixed) == [true])
        #expect(
            try await campaigns.takeOver(save("lapsed", lapsed(below: 30)).segment, of: app, by: ann, reason: "").saved.isEmpty)
    }

    @Test("Those that have not begun take over a change by a draft, which another person approves")
    func takeOver() async throws {
        let first = try await save("lapsed", lapsed(below: 90)).segment
        _ = try await make(campaign("ahead", from: Self.now.advanced(by: 1_000_000)))
        try await publish("ahead")
        _ = try await make(campaign("draft"))
        #expect(try await campaigns.uses(of: "lapsed", app).allSatisfy { $0.isCurrent(first) })
        let second = try await save("lapsed", lapsed(below: 30)).segment
        #expect(try await campaigns.uses(of: "lapsed", app).count { $0.mayFollow(second) } == 2)
        let (saved, skipped) = try await campaigns.takeOver(second, of: app, by: ann, reason: "follows")
        #expect(saved.map(\.name.id) == ["ahead", "draft"] && skipped.isEmpty)
        let ahead = try await campaigns.campaign("ahead", of: app)
        #expect(ahead.published?.text.campaign?.segments.map(\.version) == [1])
        #expect(ahead.draft?.text.campaign?.segments.map(\.version) == [2] && ahead.draft?.phase == .writing)
        #expect(
            CampaignText.changes(from: ahead.published?.text, to: ahead.draft?.text) == [
                "audience: segment “lapsed”, condition: days since lapse in group 1 is less than 90 → 30"
            ])
        _ = try await campaigns.take([.submit], "ahead", of: app, seen: nil, by: ann)
        await #expect(throws: CampaignError.self) {
            try await campaigns.take([.approve, .publish], "ahead", of: app, seen: nil, by: ann)
        }
        _ = try await campaigns.take([.approve, .publish], "ahead", of: app, seen: nil, by: ben)
        #expect(try await campaigns.uses(of: "lapsed", app).allSatisfy { $0.isCurrent(second) })
    }

    @Test("A campaign that cannot take over a change is named, and the others take it over")
    func skipped() async throws {
        try await save("lapsed", lapsed(below: 90))
        var full = campaign("full")
        full.hypothesis = "why"
        full.hypothesis = String(repeating: "w", count: CampaignDesk.maxBytes - 500 - full.json.bytes.count)
        _ = try await make(full)
        _ = try await make(campaign("slim"))
        let wider = Condition.any((1...20).map { lapsed(below: Double($0)) })
        let (saved, skipped) = try await campaigns.takeOver(
            save("lapsed", wider, seen: 1).segment, of: app, by: ann, reason: "")
        #expect(saved.map(\.name.id) == ["slim"] && skipped.map(\.name.id) == ["full"])
    }

    private func draft() async throws -> ManagedCampaign.Draft? { try await campaigns.campaign("c", of: app).draft }

    @Test("The writer of a segment is an author of each draft that gets it, until it is published with the campaign")
    func writers() async throws {
        let text = CampaignText(json: campaign("c", from: Self.now.advanced(by: 1_000_000)).json)
        try await save("lapsed", lapsed(below: 90))
        _ = try await campaigns.create("c", text, of: app, by: ben)
        #expect(try await draft()?.authors == ["ben", "ann"])
        let made = try await campaigns.campaign("c", of: app)
        #expect(try await campaigns.approvers(of: made, in: app).map(\.id) == ["cam"])
        _ = try await campaigns.take([.submit], "c", of: app, seen: nil, by: ben)
        await #expect(throws: CampaignError.ownWork(author: "ann")) {
            try await campaigns.take([.approve], "c", of: app, seen: nil, by: ann)
        }
        _ = try await campaigns.take([.approve, .publish], "c", of: app, seen: nil, by: Origin(actor: "cam"))
        _ = try await campaigns.save("c", text, of: app, seen: nil, by: ben)
        #expect(try await draft()?.authors == ["ben"])
        try await save("lapsed", lapsed(below: 30), seen: 1)
        _ = try await campaigns.save("c", text, of: app, seen: nil, by: ben)
        #expect(try await draft()?.authors == ["ben", "ann"])
    }

    @Test("A campaign under an id that a discarded draft has freed is its writer's, also once it is published")
    func owner() async throws {
        try await save("lapsed", lapsed(below: 90))
        let made = try await make(campaign("c"))
        _ = try await campaigns.take([.discard], "c", of: app, seen: nil, by: ann)
        _ = try await campaigns.save("c", try #require(made.text), of: app, seen: nil, by: ben)
        #expect(try await campaigns.campaign("c", of: app).owner == "ben")
        _ = try await campaigns.take([.submit], "c", of: app, seen: nil, by: ben)
        _ = try await campaigns.take([.approve, .publish], "c", of: app, seen: nil, by: Origin(actor: "cam"))
        #expect(try await campaigns.campaign("c", of: app).owner == "ben")
    }

    @Test("One in use is not removed: by a draft, by what is published, by another segment")
    func removal() async throws {
        try await save("lapsed", lapsed(below: 90))
        try await save("outer", .not(.segment("lapsed")))
        _ = try await make(campaign("c"))
        await #expect(throws: CampaignError.segmentInUse(by: ["the campaign c", "the segment outer"])) {
            try await campaigns.removeSegment("lapsed", of: app, seen: nil, by: ann)
        }
        _ = try await campaigns.removeSegment("outer", of: app, seen: 1, by: ann)
        _ = try await campaigns.take([.discard], "c", of: app, seen: nil, by: ann)
        guard case .changedMeanwhile = try await campaigns.removeSegment("lapsed", of: app, seen: 7, by: ann) else {
            return #expect(Bool(false), "removed by a caller who has not seen it")
        }
        _ = try await campaigns.removeSegment("lapsed", of: app, seen: 1, by: ann)
        #expect(try await campaigns.segments.list(of: Self.bundleID).isEmpty)
    }

    @Test("A text from elsewhere keeps its own copy of a segment that the app lacks, and no other")
    func elsewhere() async throws {
        var written = campaign("c")
        written.segments = [
            Segment(id: "lapsed", name: "Lapsed", condition: lapsed(below: 7)),
            Segment(id: "unnamed", name: "Unnamed", condition: lapsed(below: 7)),
        ]
        let text = CampaignText(json: written.json)
        #expect(try await campaigns.withSegments(text, of: app).campaign?.segments.map(\.condition) == [lapsed(below: 7)])
        try await save("lapsed", lapsed(below: 90))
        #expect(try await campaigns.withSegments(text, of: app).campaign?.segments.map(\.condition) == [lapsed(below: 90)])
    }
}
