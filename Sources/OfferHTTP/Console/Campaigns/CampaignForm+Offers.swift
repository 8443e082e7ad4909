import EligibilityRules
import OfferService
import WireText

extension CampaignForm {
    /// The audience; nil for all customers, and while it cannot be read.
    var condition: Condition? { audience.audience.flatMap { try? Condition(json: $0, at: "audience") } }
}

extension CampaignVariant.Offer {
    /// Reads an offer as the form keeps it; nil if it is none.
    init?(_ text: String) {
        guard let json = try? JSONValue(parsing: Array(text.utf8)), case .string(let product)? = json.member("productId"),
            case .string(let offer)? = json.member("offerId")
        else { return nil }
        self.init(productID: product, offerID: offer)
    }
}
