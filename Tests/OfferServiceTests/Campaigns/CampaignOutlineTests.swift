import AppStore
import EligibilityRules
import OfferStore
import OfferStoreTesting
import Testing
import WireText

@testable import OfferService

@Suite("Outlines of campaigns")
struct CampaignOutlineTests {
    private static let bundleID = "com.example.app"
    private static let now = Instant(milliseconds: 1_900_000_000_000)
    private let store = TemporaryStore()
    private let app = App(
        identity: AppIdentity(bundleID: Self.bundleID, appAppleID: nil, environment: .production),
        rules: AppRules(enforcement: .enforce), policy: EligibilityPolicy(), catalogue: Catalogue(products: []))
    private let ann = Origin(actor: "ann")

    private func administration() -> CampaignAdministration {
        CampaignAdministration(
            store: store.marketing.campaigns, segments: store.marketing.segments, exposures: store.marketing.exposures,
            access: store.credentials.access, apps: AppDirectory([app]),
            system: SystemEnvironment(now: { Self.now }, randomBytes: SystemEnvironment.live.randomBytes))
    }

    private func text(_ id: String, name: String) -> CampaignText {
        CampaignText(
            json: Campaign(
                id: id, name: name, bundleID: Self.bundleID, slot: CampaignSlot(placement: "checkout", priority: 7),
                design: CampaignDesign(variants: [
                    CampaignVariant(
                        id: "v", weight: 10_000,
                        offers: [CampaignVariant.Offer(productID: "com.example.Pro", offerID: "half")])
                ])
            ).json)
    }

    @Test("A campaign is read again only if it has changed, and a change is seen at once, also one by another process")
    func kept() async throws {
        let (campaigns, others) = (administration(), administration())
        // More than are read at a time.
        let ids = (100..<350).map { "c-\($0)" }
        for id in ids { _ = try await campaigns.create(id, text(id, name: "Autumn"), of: app, by: ann) }
        let first = try await campaigns.outlines(of: app)
        #expect(first.map(\.id) == ids && first.allSatisfy { $0.title == "Autumn" && $0.isReadable })
        _ = try await others.save("c-200", text("c-200", name: "Winter"), of: app, seen: nil, by: ann)
        _ = try await others.create("c-999", text("c-999", name: "New"), of: app, by: ann)
        let second = try await campaigns.outlines(of: app)
        #expect(second.map(\.id) == ids + ["c-999"])
        let known = Set(first.map(ObjectIdentifier.init))
        #expect(second.filter { !known.contains(ObjectIdentifier($0)) }.map(\.title) == ["Winter", "New"])
        #expect(try await campaigns.all(of: app).map(\.title) == second.map(\.title))
    }

    @Test("An outline has the words by which a campaign is found, in lower case")
    func words() async throws {
        let campaigns = administration()
        _ = try await campaigns.create("c", text("c", name: "Überraschung"), of: app, by: ann)
        let outline = try #require(try await campaigns.outlines(of: app).first)
        #expect(
            outline.words.split(separator: "\n") == ["c", "überraschung", "überraschung", "checkout", "com.example.pro", "half"])
        #expect((outline.placement, outline.priority, outline.owner) == ("checkout", 7, "ann"))
        #expect(outline.state(at: Self.now) == .draft && outline.end(at: Self.now) == nil && !outline.isArchived)
    }

    @Test("Of records only the new and the changed are made, and those that are gone are forgotten")
    func memory() async {
        let memory = RecordMemory<Int, String>()
        var made: [[String]] = []
        func values(_ records: [(id: String, version: Int)]) async -> [String: String] {
            await memory.values(of: "app", records) { changed in
                made.append(changed.sorted())
                return Dictionary(uniqueKeysWithValues: changed.filter { $0 != "none" }.map { ($0, "\($0)\(made.count)") })
            }
        }
        #expect(await values([("a", 1), ("b", 1), ("none", 1)]) == ["a": "a1", "b": "b1"])
        #expect(await values([("a", 1), ("b", 2), ("c", 1)]) == ["a": "a1", "b": "b2", "c": "c2"])
        #expect(await values([("a", 1), ("b", 2), ("c", 1)]) == ["a": "a1", "b": "b2", "c": "c2"])
        #expect(await values([("a", 1)]) == ["a": "a1"])
        #expect(await values([("a", 1), ("b", 2)]) == ["a": "a1", "b": "b3"])
        #expect(made == [["a", "b", "none"], ["b", "c"], ["b"]])
    }
}
