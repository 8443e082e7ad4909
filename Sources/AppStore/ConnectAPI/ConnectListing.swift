import EligibilityRules

/// The elements of a list in App Store Connect, and the related resources that its answers include.
struct ConnectListing: Sendable {
    var elements: [ConnectResource] = []
    var included: [ConnectResource] = []

    /// Returns the prices in effect on a day, by territory. They are those for new customers who pay a whole period at once.
    ///
    /// - Parameter wanted: the territories whose prices are returned; empty for all.
    func prices(on day: String, in wanted: [String]) -> [String: Money] {
        let named = Dictionary(included.map { ("\($0.type) \($0.id)", $0.attributes) }, uniquingKeysWith: { first, _ in first })
        var found: [String: (from: String, money: Money)] = [:]
        for element in elements {
            let (attributes, from) = (element.attributes, element.attributes.text("startDate") ?? "")
            // Two kinds of price are left out. A preserved price is one that only earlier subscribers still pay. The price of a
            // monthly plan is only the part of a longer period's price that is due each month.
            guard attributes.flag("preserved") != true, attributes.text("planType") != "MONTHLY", from <= day,
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
