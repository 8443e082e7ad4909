import EligibilityRules
import OfferService
import WireText

extension CampaignForm {
    /// The audience's condition; nil for all customers, and also while the condition has faults.
    var condition: Condition? { audience.audience.flatMap { try? Condition(json: $0, at: "audience") } }
}

extension CampaignVariant.IntroductoryOffer {
    /// Reads the value that the form sends for a chosen decision; nil if the value is none.
    init?(_ text: String) {
        guard let json = try? JSONValue(parsing: Array(text.utf8)), case .string(let product)? = json.member("productId"),
            case .bool(let isAllowed)? = json.member("allow")
        else { return nil }
        self.init(productID: product, isAllowed: isAllowed)
    }
}

extension CampaignVariant.Switch {
    /// Reads the JSON of a form's choice; nil if it names no product.
    init?(form json: JSONValue) {
        guard case .string(let product)? = json.member("productId") else { return nil }
        let plan =
            if case .string(let text)? = json.member("billingPlan") { BillingPlan(rawValue: text) } else { BillingPlan?.none }
        self.init(productID: product, billingPlan: plan)
    }
}

extension CampaignVariant.Offer {
    /// Reads the value that the form sends for a chosen offer; nil if the value names no offer.
    init?(_ text: String) {
        guard let json = try? JSONValue(parsing: Array(text.utf8)), case .string(let product)? = json.member("productId"),
            case .string(let offer)? = json.member("offerId")
        else { return nil }
        self.init(productID: product, offerID: offer)
    }
}
