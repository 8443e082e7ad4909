import EligibilityRules
import OfferService
import Testing
import WireText

@testable import OfferHTTP

@Suite("Names of variants")
struct VariantLabelTests {
    private static let campaign = Campaign(
        id: "c", name: "C", bundleID: "com.example.app",
        design: CampaignDesign(variants: [
            CampaignVariant(id: "control", weight: 5000), CampaignVariant(id: "a", name: "Half price", weight: 5000),
        ]))

    @Test("A variant is called by its name, else by its id, also where the rule cannot be read or has it no more")
    func labels() {
        let campaign: Campaign? = Self.campaign
        #expect(["control", "a", "gone"].map { campaign.label(ofVariant: $0) } == ["control", "Half price", "gone"])
        #expect(Campaign?.none.label(ofVariant: "a") == "a")
        let counts = [RehearsalCount(variant: "a", exposed: 1, signed: 0)]
        #expect(RehearsalView(counts, of: campaign, href: "/")?.variants.map(\.variant) == ["Half price"])
    }

    @Test("A name is kept without spaces around it, and only spaces are no name", arguments: [(" Half ", "Half"), ("  ", nil)])
    func trimmed(typed: String, kept: String?) {
        var fields = VariantFields(id: "a", weight: "50")
        fields.name = typed
        #expect(fields.json.member("name") == kept.map(JSONValue.string))
    }

    @Test("No spreadsheet takes a name for a formula", arguments: ["=1+1", "+1", "-1", "@a", "\t=1"])
    func formulas(name: String) {
        #expect(CampaignResultsCSV.harmless(name) == "'\(name)")
        #expect(CampaignResultsCSV.harmless("a\(name)") == "a\(name)" && CampaignResultsCSV.harmless("").isEmpty)
    }
}
