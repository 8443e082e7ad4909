import EligibilityRules

/// The elements of a list, and the related resources that the answers include.
struct ConnectListing: Sendable {
    var elements: [ConnectResource] = []
    var included: [ConnectResource] = []

    /// Returns the prices in effect on a day, by territory: those for new customers who pay each period at once.
    ///
    /// - Parameter wanted: the territories whose prices are returned; empty for all.
    func prices(on day: String, in wanted: [String]) -> [String: Money] {
        let named = Dictionary(included.map { ("\($0.type) \($0.id)", $0.attributes) }, uniquingKeysWith: { first, _ in first })
        var found: [String: (from: String, money: Money)] = [:]
        for element in elements {
            let (attributes, from) = (element.attributes, element.attributes.text("startDate") ?? "")
            // Earlier subscribers go on paying a preserved price, and a monthly plan divides the price of a longer period.
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
