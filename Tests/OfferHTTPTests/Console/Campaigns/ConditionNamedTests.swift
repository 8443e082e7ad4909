import EligibilityRules
import Testing

@testable import OfferHTTP

@Suite("Conditions as people read them")
struct ConditionNamedTests {
    private let catalogue = Catalogue(products: [])

    private func storefronts(_ codes: [String]) -> Condition {
        .test(ConditionTest(.subscriptionStorefront, group: "1", .oneOf, .list(codes.map { .text($0) })))
    }

    @Test("Countries have their names, and what is no country's code stays as it is")
    func names() {
        #expect(
            storefronts(["DEU", "FRA", "XYZ", "deu", "DE"]).words(in: catalogue)
                == "storefront in group 1 is one of Germany, France, XYZ, deu, DE")
        let country = { (name: String) in Condition.not(.test(ConditionTest(.attribute(name), .is, .text("US")))) }
        #expect(country("country").words(in: catalogue) == "attribute country (not verified) is not United States")
        #expect(country("origin").words(in: catalogue) == "attribute origin (not verified) is not US")
    }

    @Test("The members of the European Union have one name, and each its own where versions are compared")
    func union() {
        let members = Country.all.filter(\.isOfEuropeanUnion)
        let all = storefronts(["USA"] + members.map(\.alpha3))
        #expect(all.words(in: catalogue) == "storefront in group 1 is one of the European Union, United States")
        #expect(storefronts(members.dropLast().map(\.alpha3)).words(in: catalogue).hasSuffix("Slovenia, Spain"))
        guard case .test(let test) = all.named(in: catalogue), case .list(let values) = test.operand else {
            Issue.record("no list")
            return
        }
        #expect(values.count == 28 && values[0] == .text("United States") && values.contains(.text("Germany")))
    }
}
