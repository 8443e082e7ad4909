import EligibilityRules
import OfferService
import Testing
import WireText

@testable import OfferHTTP

@Suite("Countries of a condition")
struct CountryTests {
    private func sent(_ fact: String, _ values: [String], order: String = "", name: String = "") -> TestFields? {
        let fields = [
            "c.0.fact": [fact], "c.0.was": [fact], "c.0.op": ["oneOf"], "c.0.value": values, "c.0.order": [order],
            "c.0.name": [name],
        ]
        if case .test(let test) = ConditionNode(fields, id: "c.0") { return test }
        return nil
    }

    @Test("No code and no name is there twice, and the European Union has its 27 members")
    func table() {
        let all = Country.all
        #expect(all.count == 250 && Set(all.map(\.alpha2)).count == 250 && Set(all.map(\.alpha3)).count == 250)
        #expect(Set(all.map(\.name)).count == 250)
        #expect(all.allSatisfy { $0.alpha2.count == 2 && $0.alpha3.count == 3 })
        #expect(all.count { $0.isOfEuropeanUnion } == 27)
        #expect(all.first { $0.alpha3 == "CIV" }.map { [$0.alpha2, $0.name] } == ["CI", "Côte d’Ivoire"])
        #expect(all.allSatisfy { $0.name != $0.alpha2 })
        let counts = Country.regions.map { $0.countries.count }
        #expect(counts == [53, 60, 50, 41, 16, 30])
    }

    @Test("Ticked codes and typed names and codes become codes, each once, in the order of the draft")
    func typed() {
        let storefront = sent("subscription.storefront", ["germany, usa, Atlantis", "FRA", "DEU"], order: "FRA\nITA")
        #expect(storefront?.value == "FRA\nDEU\nUSA\nAtlantis")
        #expect(sent("attribute", ["Germany", "FR"], name: "country")?.value == "DE\nFR")
        // Another attribute may mean something else.
        #expect(sent("attribute", ["Germany", "FR"], name: "origin")?.value == "Germany\nFR")
    }

    @Test("A preset adds its countries, and none removes all")
    func presets() {
        var test = sent("subscription.storefront", ["USA", "DEU"])!
        test.chooseCountries("eu")
        let codes = test.value.split(separator: "\n").map(String.init)
        #expect(codes.prefix(2) == ["USA", "DEU"] && codes.count == 28 && Set(codes).count == 28)
        #expect(CountriesView(test)?.summary == "European Union, United States")
        test.chooseCountries("South America")
        #expect(CountriesView(test)?.regions.first { $0.name == "South America" }?.count == "16 of 16")
        test.chooseCountries("none")
        #expect(test.value.isEmpty && CountriesView(test)?.summary == "Choose …")
    }

    @Test("A draft's codes come back from the form as they are, also those of no country")
    func roundTrip() throws {
        let lists = [["USA", "CAN", "AUT"], ["XYZ", "usa"], ["us", "DEU"], ["Paris, Texas", "XYZ"]]
        for (fact, codes) in ["subscription.storefront", "attribute"].flatMap({ fact in lists.map { (fact, $0) } }) {
            let values = ConditionValue.list(codes.map { .text($0) })
            let condition = Condition.test(
                fact == "attribute"
                    ? ConditionTest(.attribute("country"), .oneOf, values)
                    : ConditionTest(.subscriptionStorefront, group: "1", .oneOf, values))
            let test = try #require(TestFields(Campaign.audience(condition)))
            let view = try #require(CountriesView(test))
            let ticked = view.regions.flatMap(\.all).filter(\.isChosen).map(\.id)
            let again = sent(fact, [view.others] + ticked, order: view.order, name: test.name)
            #expect(again?.value == test.value)
        }
        // A row reads codes with commas as several values, so none shows a draft's single value of that form.
        let single = ConditionTest(.attribute("country"), .oneOf, .list([.text("FRA, DEU")]))
        #expect(TestFields(Campaign.audience(.test(single))) == nil)
        // Also with one more typed behind those that are no country.
        #expect(sent("attribute", ["us, USA, Spain"], order: "us\nUSA", name: "country")?.value == "us\nUSA\nES")
    }
}

extension Campaign {
    fileprivate static func audience(_ condition: Condition) -> JSONValue {
        Campaign(id: "c", name: "c", bundleID: "b", audience: condition, design: CampaignDesign(variants: [])).json.member(
            "audience")!
    }
}
