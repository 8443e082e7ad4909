import EligibilityRules
import OfferStoreTesting
import Testing

@testable import OfferService

@Suite("Groups that the App Store names")
struct GroupDirectoryTests {
    private let catalogue = Catalogue(products: [
        SubscriptionProduct(
            id: "monthly", groupID: "1", level: 1, period: "P1M", introductoryOffer: nil, promotionalOffers: [:])
    ])

    private func chain(_ product: String, in group: String?) -> PurchaseChain {
        PurchaseChain(
            originalID: "o", groupID: group,
            transactions: [PurchaseTransaction(id: "o", productID: product, purchasedAt: Instant(milliseconds: 0))])
    }

    @Test("A difference from the catalogue is reported once, and used from then on")
    func difference() {
        let directory = GroupDirectory(catalogue: catalogue)
        #expect(directory.note([chain("monthly", in: "1"), chain("monthly", in: nil)]).isEmpty)
        #expect(directory.current.isEmpty)
        let found = directory.note([chain("monthly", in: "2")])
        #expect(found == [.init(productID: "monthly", catalogueGroupID: "1", groupID: "2")])
        #expect(directory.note([chain("monthly", in: "2")]).isEmpty)
        #expect(directory.current.group(ofProduct: "monthly") == "2")
    }

    @Test("A product that the catalogue does not have gets its group without a word")
    func unknownProduct() {
        let directory = GroupDirectory(catalogue: catalogue)
        #expect(directory.note([ExactText("legacy"): "1", ExactText("monthly"): "1"]).isEmpty)
        #expect(directory.current.group(ofProduct: "legacy") == "1")
    }
}
