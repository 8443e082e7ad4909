import AppStore
import EligibilityRules

/// The products of apps in App Store Connect, as the `apps:` of a catalogue file.
struct CatalogueDocument {
    /// The bundle ids and their groups, in the order in which they are written.
    let apps: [(bundleID: String, groups: [ConnectGroup])]

    private static let head = """
        # Written by `offersigner catalogue pull` from App Store Connect, which is the place to change it: this file is written anew as a
        # whole. What App Store Connect does not know (limits) stands in your own file, under the same ids; see docs/catalogue.md.

        """

    /// The YAML text. The same catalogue always gives the same text.
    var yaml: String {
        var text = Self.head + "apps:\n"
        for app in apps {
            text += "  - bundleId: \(Self.quoted(app.bundleID))\n    subscriptionGroups:\(app.groups.isEmpty ? " []" : "")\n"
            for group in app.groups {
                text += "      - id: \(Self.quoted(group.id))\(Self.comment(group.name))\n"
                text += "        products:\(group.subscriptions.isEmpty ? " []" : "")\n"
                for subscription in group.subscriptions { text += Self.yaml(subscription) }
            }
        }
        return text
    }

    /// Returns the document in the form in which it is read back from the file.
    func node() throws(ConfigurationError) -> ConfigurationNode { try ConfigurationNode(yaml: yaml, source: "App Store Connect") }

    /// What App Store Connect has but a configuration has no place for, one sentence each.
    var notes: [String] {
        var notes: [String] = []
        for app in apps {
            for subscription in app.groups.flatMap(\.subscriptions) {
                let place = "\(app.bundleID): \(subscription.productID)"
                for plan in BillingPlan.allCases {
                    for offer in subscription.introductoryOffers(on: plan).dropFirst() {
                        notes.append("\(place): another introductory offer is left out: \(Self.words(offer))")
                    }
                }
            }
        }
        return notes
    }

    private static func words(_ offer: ConnectOffer) -> String {
        var words = [offer.kind.rawValue, offer.period]
        if let from = offer.from { words.append("from \(from)") }
        if let until = offer.until { words.append("until \(until)") }
        if !offer.territories.isEmpty { words.append("in \(offer.territories.joined(separator: ", "))") }
        return words.joined(separator: ", ")
    }

    private static func yaml(_ subscription: ConnectSubscription) -> String {
        let indent = "            "
        var text = "          - id: \(quoted(subscription.productID))\(comment(subscription.name))\n"
        text += "\(indent)level: \(subscription.level)\n\(indent)period: \(subscription.period)\n"
        if !subscription.prices.isEmpty { text += "\(indent)\(yaml(subscription.prices))\n" }
        if let offer = subscription.introductoryOffers(on: .upfront).first {
            text += "\(indent)introductoryOffer: \(yaml(offer))\n"
        }
        text += monthlyPlan(subscription, indent)
        text += yaml("promotionalOffers", subscription.promotionalOffers, indent)
        return text + yaml("winBackOffers", subscription.winBackOffers, indent)
    }

    private static func monthlyPlan(_ subscription: ConnectSubscription, _ indent: String) -> String {
        let offer = subscription.introductoryOffers(on: .monthly).first
        guard offer != nil || !subscription.monthlyPrices.isEmpty else { return "" }
        var text = "\(indent)monthlyPlan:\n"
        if !subscription.monthlyPrices.isEmpty { text += "\(indent)  \(yaml(subscription.monthlyPrices))\n" }
        if let offer { text += "\(indent)  introductoryOffer: \(yaml(offer))\n" }
        return text
    }

    private static func yaml(_ name: String, _ offers: [ConnectOffer], _ indent: String) -> String {
        guard !offers.isEmpty else { return "" }
        var text = "\(indent)\(name):\n"
        for offer in offers { text += "\(indent)  - \(yaml(offer))\n" }
        return text
    }

    private static func yaml(_ offer: ConnectOffer) -> String {
        var members: [String] = []
        if !offer.id.isEmpty { members.append("id: \(quoted(offer.id))") }
        members += ["kind: \(offer.kind.rawValue)", "period: \(offer.period)"]
        if let from = offer.from { members.append("from: \(quoted(from))") }
        if let until = offer.until { members.append("until: \(quoted(until))") }
        if !offer.territories.isEmpty {
            members.append("territories: [\(offer.territories.map(quoted).joined(separator: ", "))]")
        }
        // The place of an introductory offer says its plan.
        if offer.billingPlan == .monthly, !offer.id.isEmpty { members.append("billingPlan: monthly") }
        if !offer.prices.isEmpty { members.append(yaml(offer.prices)) }
        return "{\(members.joined(separator: ", "))}"
    }

    private static func yaml(_ prices: [String: Money]) -> String {
        let entries = prices.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }
        return "prices: {\(entries.joined(separator: ", "))}"
    }

    /// Returns any text in YAML's double quotes.
    static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                quoted += "\\\(scalar)"
            } else if isPlain(scalar) {
                quoted.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return "\"\(quoted)\""
    }

    /// Whether a scalar may stand in a text as it is and does not end a line.
    ///
    /// All scalars that may not have at most four hexadecimal digits, so that `\u` is enough to escape them.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    private static func comment(_ name: String) -> String {
        let plain = String.UnicodeScalarView(name.unicodeScalars.filter(isPlain))
        return plain.isEmpty ? "" : "  # \(String(plain))"
    }
}

extension ConnectSubscription {
    /// The introductory offers of a billing plan, in their order.
    fileprivate func introductoryOffers(on plan: BillingPlan) -> [ConnectOffer] {
        introductoryOffers.filter { $0.billingPlan == plan }
    }
}
