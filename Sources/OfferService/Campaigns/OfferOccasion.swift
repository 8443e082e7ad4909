package import EligibilityRules

/// What a request for offers says besides the customer: the placement, the attributes and the billing plan.
package struct OfferOccasion: Sendable {
    /// No placement and no attributes.
    package static let none = OfferOccasion()

    /// The occasion on which the App Store asks about a customer who is about to cancel.
    ///
    /// - Parameter locale: the locale of the customer's device.
    static func retention(locale: String?) -> OfferOccasion {
        let attributes = locale.map { Attributes(["locale": .text($0)]) } ?? .none
        return OfferOccasion(placement: Campaign.retentionPlacement, attributes: attributes, billingPlan: nil)
    }

    /// The billing plan with which a customer buys at a placement; nil where the App Store asks.
    ///
    /// - Parameter named: the plan that is named. The App Store names none.
    package static func billingPlan(named plan: BillingPlan, at placement: String?) -> BillingPlan? {
        placement.map(Campaign.isRetention) ?? false ? nil : plan
    }

    /// Whether the App Store asks for Retention Messaging, and so expects a single answer.
    var isRetention: Bool { placement == Campaign.retentionPlacement }

    /// The placement in the app; nil if none is given.
    package let placement: String?
    /// What the caller says about the customer. The service does not verify it.
    package let attributes: Attributes

    /// The billing plan with which the customer buys; nil for any, where the App Store asks.
    package let billingPlan: BillingPlan?

    package init(placement: String? = nil, attributes: Attributes = .none, billingPlan: BillingPlan? = .upfront) {
        self.placement = placement
        self.attributes = attributes
        self.billingPlan = billingPlan
    }
}
