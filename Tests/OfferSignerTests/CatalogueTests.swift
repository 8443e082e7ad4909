import EligibilityRules
import Testing

@testable import AppStore
@testable import OfferSigner

@Suite("Catalogue from App Store Connect")
struct CatalogueTests {
    private func document(_ id: String, name: String = "", offer: String = "half") -> CatalogueDocument {
        let half = ConnectOffer(
            id: offer, kind: .payUpFront, period: "P6M", from: "2026-01-01", until: nil, territories: ["CAN", "USA"], prices: [:],
            billingPlan: .upfront)
        let subscription = ConnectSubscription(
            productID: id, name: name, level: 2, period: "P1M", prices: ["USA": Money("9.99 USD")!], monthlyPrices: [:],
            introductoryOffers: [],
            promotionalOffers: [half],
            winBackOffers: [])
        return CatalogueDocument(apps: [
            (bundleID: "app", groups: [ConnectGroup(id: "1", name: name, subscriptions: [subscription])])
        ])
    }

    @Test(
        "Whatever an id or a name has in it comes back as it was, and nothing else",
        arguments: [
            "pro", "a\"b\\c", "# no comment", "x: y", "- z", "yes", "1e3", "é\u{2028}\u{85}\u{7}", "🎁", "{a}", "*a", "a\u{FEFF}",
        ])
    func texts(_ text: String) throws {
        let apps = try document(text, name: "\(text)\napps: []", offer: text).node().list("apps")
        let product = try #require(apps.first?.list("subscriptionGroups").first?.list("products").first)
        #expect(apps.count == 1 && product.text("id") == text)
        #expect(product.list("promotionalOffers").map { $0.text("id") } == [text])
        #expect(product.list("promotionalOffers")[0]["territories"]?.scalars == ["CAN", "USA"])
    }

    private func merged(_ own: String) throws -> (root: ConfigurationNode, problems: [String]) {
        var problems: [String] = []
        let root = CatalogueFile.merged(
            try ConfigurationNode(yaml: own, source: "own"), over: try document("pro").node().list("apps"), source: "file",
            &problems)
        return (root, problems)
    }

    @Test("What is said of an element of the catalogue is added to it, key by key, and wins")
    func merging() throws {
        let own = """
            apps:
              - bundleId: app
                eligibility: advise
                subscriptionGroups: [{id: "1", products: [{id: pro, level: 7, promotionalOffers: [{id: half, limits: {total: 5}}]}]}]
            """
        let (root, problems) = try merged(own)
        let app = try #require(root.list("apps").first)
        let product = try #require(app.list("subscriptionGroups").first?.list("products").first)
        let offer = try #require(product.list("promotionalOffers").first)
        #expect(problems == [])
        #expect(app.text("eligibility") == "advise")
        #expect((product.text("level"), product.text("period")) == ("7", "P1M"))
        #expect((offer.text("kind"), offer["limits"]?.text("total")) == ("pay-up-front", "5"))
        #expect(try merged("apps: [{bundleId: app}]").root.list("apps")[0].list("subscriptionGroups").count == 1)
    }

    @Test(
        "What the catalogue does not have cannot be added to",
        arguments: [
            ("{bundleId: other}", "file: app is not an app of the configuration"),
            (
                "{bundleId: app, subscriptionGroups: [{id: '2'}]}",
                "apps[0].subscriptionGroups: 2 is not in file; correct the id, or pull the catalogue again"
            ),
            (
                "{bundleId: app, subscriptionGroups: [{id: '1', products: [{period: P1Y}]}]}",
                "apps[0].subscriptionGroups[1].products: an element without id is not in file; correct the id, or pull the catalogue again"
            ),
        ])
    func unknown(app: String, problem: String) throws {
        #expect(try merged("apps: [\(app)]").problems == [problem])
    }

    @Test("Where and until when an offer is given is compared only where it is written down")
    func places() throws {
        let connect = try document("pro").node().list("apps")
        func differences(_ offer: String) throws -> [String] {
            let own =
                "apps: [{bundleId: app, subscriptionGroups: [{id: '1', products: [{id: pro, level: 2, period: P1M, "
                + "promotionalOffers: [{id: half, kind: pay-up-front, period: P6M\(offer)}]}]}]}]"
            let configured = try ConfigurationNode(yaml: own, source: "own").list("apps")
            return CatalogueDifference.all(configured: configured, connect: connect).map(\.text)
        }
        let place = "app app: group 1: product pro: promotional offer half"
        #expect(try differences("") == [])
        #expect(try differences(", territories: [USA, CAN]") == [])
        #expect(
            try differences(", territories: [USA], until: '2026-02-01'") == [
                "\(place): until: configured 2026-02-01, App Store Connect has nothing",
                "\(place): territories: configured USA, App Store Connect has CAN, USA",
            ])
    }
}
