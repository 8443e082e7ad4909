import EligibilityRules
import OfferService
import OfferSigning
import WireText

/// Writes the parts of the configuration that other programs need.
enum ConfigurationSummary {
    /// Returns `{"url":…,"apps":[…]}`. An app is `{"bundleId","eligibility","issuerId"?,"keyId"?,"products":[…]}`, and a product
    /// is `{"productId","offers":[…],"limits"?:{offer:{…}}}`. Products are sorted by id; limits are as configured.
    static func json(_ configuration: ServiceConfiguration, _ ring: KeyRing) -> String {
        let text = JSONWriter.bytes { json in
            json.append(raw: #"{"url":"#)
            json.append(url(configuration.http))
            json.append(raw: #","apps":"#)
            appendList(configuration.apps, to: &json) { app, json in
                json.append(raw: #"{"bundleId":"#)
                json.append(app.bundleID)
                json.append(raw: app.enforcement == .enforce ? #","eligibility":"enforce""# : #","eligibility":"advise""#)
                if let issuerID = app.issuerID {
                    json.append(raw: #","issuerId":"#)
                    json.append(issuerID)
                }
                if let key = ring.active(for: app.bundleID) {
                    json.append(raw: #","keyId":"#)
                    json.append(key.id)
                }
                json.append(raw: #","products":"#)
                appendList(app.catalogue.products.values.sorted { $0.id < $1.id }, to: &json, append)
                json.append(raw: "}")
            }
            json.append(raw: "}")
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the URL of the service on its own machine.
    private static func url(_ http: ServiceConfiguration.HTTP) -> String {
        let everywhere = ["0.0.0.0": "127.0.0.1", "::": "[::1]"]
        let host = everywhere[http.host] ?? (http.host.contains(":") ? "[\(http.host)]" : http.host)
        return "\(http.tls == nil ? "http" : "https")://\(host):\(http.port)"
    }

    private static func append(_ product: SubscriptionProduct, to json: inout JSONWriter) {
        json.append(raw: #"{"productId":"#)
        json.append(product.id)
        json.append(raw: #","offers":"#)
        appendList(product.promotionalOffers.keys.map(\.string).sorted(), to: &json) { $1.append($0) }
        let limited = product.promotionalOfferIDs.compactMap { id in
            product.promotionalOffers[ExactText(id)]?.limits.map { (id, $0) }
        }
        for (index, (id, limits)) in limited.enumerated() {
            json.append(raw: index == 0 ? #","limits":{"# : ",")
            json.append(id)
            json.append(raw: ":")
            append(limits, to: &json)
        }
        if !limited.isEmpty { json.append(raw: "}") }
        json.append(raw: "}")
    }

    private static func append(_ limits: OfferLimits, to json: inout JSONWriter) {
        json.append(raw: #"{"notWhileActive":"#)
        json.append(raw: limits.notWhileActive ? "true" : "false")
        json.append(raw: limits.countsRefunded ? #","countRefunded":true"# : #","countRefunded":false"#)
        for (name, number) in [
            ("perCustomer", limits.perCustomer), ("outstanding", limits.outstanding), ("total", limits.total),
        ] {
            guard let number else { continue }
            json.append(raw: ",")
            json.append(name)
            json.append(raw: ":")
            json.append(Int64(number))
        }
        for (name, period) in [("per", limits.per), ("cooldown", limits.cooldown)] {
            guard let period else { continue }
            json.append(raw: ",")
            json.append(name)
            json.append(raw: ":")
            json.append(period.text)
        }
        json.append(raw: "}")
    }

    private static func appendList<Element>(
        _ elements: [Element],
        to json: inout JSONWriter,
        _ append: (Element, inout JSONWriter) -> Void
    ) {
        json.append(raw: "[")
        for (index, element) in elements.enumerated() {
            if index > 0 { json.append(raw: ",") }
            append(element, &json)
        }
        json.append(raw: "]")
    }
}
