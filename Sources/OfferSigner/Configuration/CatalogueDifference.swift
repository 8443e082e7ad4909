import EligibilityRules
import WireText

/// A difference between the configured catalogue and that of App Store Connect.
struct CatalogueDifference: Equatable {
    /// What differs, in words: the app, then the group, the product and the offer.
    let place: String
    /// The key whose values differ; nil if only one side has the whole app, group, product or offer.
    let field: String?
    /// The configured value; nil if there is none.
    let configured: String?
    /// The value in App Store Connect; nil if there is none.
    let connect: String?

    /// The difference in one line, for people.
    var text: String {
        switch (field, configured, connect) {
        case (nil, nil, _): "\(place): only in App Store Connect"
        case (nil, _, _): "\(place): only in the configuration"
        case (let field?, _, _):
            "\(place): \(field): configured \(configured ?? "nothing"), App Store Connect has \(connect ?? "nothing")"
        }
    }

    /// Returns all differences, in the order of the ids.
    ///
    /// - Parameters:
    ///   - configured: the list `apps` of a configuration.
    ///   - connect: the list `apps` as it was pulled from App Store Connect.
    static func all(configured: [ConfigurationNode], connect: [ConfigurationNode]) -> [CatalogueDifference] {
        connect.flatMap { app -> [CatalogueDifference] in
            let id = app.text("bundleId") ?? ""
            guard let own = configured.first(where: { $0.text("bundleId") == id }) else {
                return [CatalogueDifference(place: "app \(id)", field: nil, configured: nil, connect: id)]
            }
            return lists("app \(id)", own, app, "subscriptionGroups", "group") { place, own, app in
                lists(place, own, app, "products", "product", product)
            }
        }
    }

    private typealias Comparison = (String, ConfigurationNode, ConfigurationNode) -> [CatalogueDifference]

    private static func product(_ place: String, _ own: ConfigurationNode, _ other: ConfigurationNode) -> [CatalogueDifference] {
        let level = own.text("level") ?? "1"
        var found = level == other.text("level") ?? "1" ? [] : [field("level", level, other.text("level"), place)]
        found += texts(["period"], place, own, other) + prices(place, own, other)
        found += introductory("\(place): introductory offer", own["introductoryOffer"], other["introductoryOffer"])
        let (mine, theirs) = (own["monthlyPlan"], other["monthlyPlan"])
        let monthly = "\(place): monthly plan"
        if let mine, let theirs { found += prices(monthly, mine, theirs) }
        found += introductory("\(monthly): introductory offer", mine?["introductoryOffer"], theirs?["introductoryOffer"])
        found += lists(place, own, other, "promotionalOffers", "promotional offer", offer)
        // No rule needs win-back offers, so they are compared only if the configuration lists them.
        if own["winBackOffers"] != nil { found += lists(place, own, other, "winBackOffers", "win-back offer", offer) }
        return found
    }

    private static func introductory(
        _ place: String,
        _ own: ConfigurationNode?,
        _ other: ConfigurationNode?
    ) -> [CatalogueDifference] {
        if own == nil, other == nil { return [] }
        if let own, let other { return offer(place, own, other) }
        return [
            CatalogueDifference(place: place, field: nil, configured: own.map { _ in "" }, connect: other.map { _ in "" })
        ]
    }

    private static func offer(_ place: String, _ own: ConfigurationNode, _ other: ConfigurationNode) -> [CatalogueDifference] {
        var found = texts(["kind", "period"], place, own, other)
        let plans = [own, other].map { $0.text("billingPlan") ?? BillingPlan.upfront.rawValue }
        if plans[0] != plans[1] { found.append(field("billingPlan", plans[0], plans[1], place)) }
        for key in ["from", "until"] where own[key] != nil { found += texts([key], place, own, other) }
        if let mine = own["territories"]?.scalars?.sorted() {
            let theirs = other["territories"]?.scalars?.sorted() ?? []
            if mine != theirs {
                found.append(
                    field(
                        "territories", mine.joined(separator: ", "), theirs.isEmpty ? nil : theirs.joined(separator: ", "), place)
                )
            }
        }
        return found + prices(place, own, other)
    }

    /// Compares the prices of those storefronts that both sides have, because each side may have prices for some only.
    private static func prices(_ place: String, _ own: ConfigurationNode, _ other: ConfigurationNode) -> [CatalogueDifference] {
        let (mine, theirs) = (own.prices("prices"), other.prices("prices"))
        return mine.keys.sorted().compactMap { storefront in
            guard let mine = mine[storefront], let theirs = theirs[storefront], mine != theirs else { return nil }
            return field("price in \(storefront)", mine.text, theirs.text, place)
        }
    }

    private static func lists(
        _ place: String,
        _ own: ConfigurationNode,
        _ other: ConfigurationNode,
        _ key: String,
        _ name: String,
        _ compare: Comparison
    ) -> [CatalogueDifference] {
        let (mine, theirs) = (own.list(key), other.list(key))
        let ids = Set((mine + theirs).compactMap { $0.text("id") }).sorted()
        return ids.flatMap { id -> [CatalogueDifference] in
            let place = "\(place): \(name) \(id)"
            let (one, two) = (mine.first { $0.text("id") == id }, theirs.first { $0.text("id") == id })
            if let one, let two { return compare(place, one, two) }
            return [CatalogueDifference(place: place, field: nil, configured: one.map { _ in id }, connect: two.map { _ in id })]
        }
    }

    private static func texts(
        _ keys: [String],
        _ place: String,
        _ own: ConfigurationNode,
        _ other: ConfigurationNode
    ) -> [CatalogueDifference] {
        keys.filter { own.text($0) != other.text($0) }.map { field($0, own.text($0), other.text($0), place) }
    }

    private static func field(_ name: String, _ own: String?, _ other: String?, _ place: String) -> CatalogueDifference {
        CatalogueDifference(place: place, field: name, configured: own, connect: other)
    }
}

extension Sequence<CatalogueDifference> {
    /// The differences as JSON: `{"differences":[{"place","field"?,"configured"?,"appStoreConnect"?}]}`.
    var json: String {
        let text = JSONWriter.bytes { json in
            json.append(raw: #"{"differences":["#)
            for (index, difference) in enumerated() {
                json.append(raw: index == 0 ? #"{"place":"# : #",{"place":"#)
                json.append(difference.place)
                for (name, value) in [
                    ("field", difference.field), ("configured", difference.configured), ("appStoreConnect", difference.connect),
                ] {
                    guard let value else { continue }
                    json.append(raw: ",")
                    json.append(name)
                    json.append(raw: ":")
                    json.append(value)
                }
                json.append(raw: "}")
            }
            json.append(raw: "]}")
        }
        return String(decoding: text, as: UTF8.self)
    }
}
