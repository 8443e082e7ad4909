import EligibilityRules

/// The elements of a list in App Store Connect, and the related resources that its answers include.
struct ConnectListing: Sendable {
    var elements: [ConnectResource] = []
    var included: [ConnectResource] = []

    /// Returns the prices in effect on a day for new customers of a billing plan, by territory.
    ///
    /// - Parameters:
    ///   - wanted: the territories whose prices are returned; empty for all.
    ///   - plan: the plan; nil for the prices of an offer, which is configured for one plan and does not name it in its prices.
    func prices(on day: String, in wanted: [String], of plan: BillingPlan?) -> [String: Money] {
        let named = Dictionary(included.map { ("\($0.type) \($0.id)", $0.attributes) }, uniquingKeysWith: { first, _ in first })
        var found: [String: (from: String, money: Money)] = [:]
        for element in elements {
            let (attributes, from) = (element.attributes, element.attributes.text("startDate") ?? "")
            // A preserved price is one that only earlier subscribers still pay.
            guard attributes.flag("preserved") != true, from <= day,
                plan.map({ $0 == BillingPlan(connectName: attributes.text("planType")) }) ?? true,
                let territory = element.related("territory"), wanted.isEmpty || wanted.contains(territory),
                let price = element.related("subscriptionPricePoint").flatMap({
                    named["subscriptionPricePoints \($0)"]?.text("customerPrice")
                }), let currency = named["territories \(territory)"]?.text("currency"),
                let money = Money(price: price, currency: currency)
            else { continue }
            if let other = found[territory], other.from > from { continue }
            found[territory] = (from, money)
        }
        return found.mapValues(\.money)
    }
}

extension BillingPlan {
    /// The plan by its name in App Store Connect.
    ///
    /// Apple does not say which plan applies if the name is absent. Offers and prices that were made before there were plans have
    /// none, so it stands for `upfront`.
    init?(connectName: String?) {
        switch connectName {
        case nil, "UPFRONT": self = .upfront
        case "MONTHLY": self = .monthly
        default: return nil
        }
    }
}
