import EligibilityRules
import OfferSigning

/// What a configuration amounts to, for other programs.
enum ConfigurationSummary {
    /// `{"apps":[{"bundleId","issuerId"?,"keyId"?,"products":[{"productId","offers":[…]}]}]}`, products sorted by id.
    static func json(_ configuration: ServiceConfiguration, _ ring: KeyRing) -> String {
        var text: [UInt8] = []
        JSONText.append(raw: #"{"apps":"#, to: &text)
        appendList(configuration.apps, to: &text) { app, text in
            JSONText.append(raw: #"{"bundleId":"#, to: &text)
            JSONText.append(app.bundleID, to: &text)
            if let issuerID = app.issuerID {
                JSONText.append(raw: #","issuerId":"#, to: &text)
                JSONText.append(issuerID, to: &text)
            }
            if let key = ring.active(for: app.bundleID) {
                JSONText.append(raw: #","keyId":"#, to: &text)
                JSONText.append(key.id, to: &text)
            }
            JSONText.append(raw: #","products":"#, to: &text)
            appendList(app.catalogue.products.values.sorted { $0.id < $1.id }, to: &text, append)
            JSONText.append(raw: "}", to: &text)
        }
        JSONText.append(raw: "}", to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ product: SubscriptionProduct, to text: inout [UInt8]) {
        JSONText.append(raw: #"{"productId":"#, to: &text)
        JSONText.append(product.id, to: &text)
        JSONText.append(raw: #","offers":"#, to: &text)
        appendList(product.promotionalOffers.keys.map(\.string).sorted(), to: &text) { JSONText.append($0, to: &$1) }
        JSONText.append(raw: "}", to: &text)
    }

    private static func appendList<Element>(
        _ elements: [Element],
        to text: inout [UInt8],
        _ append: (Element, inout [UInt8]) -> Void
    ) {
        JSONText.append(raw: "[", to: &text)
        for (index, element) in elements.enumerated() {
            if index > 0 { JSONText.append(raw: ",", to: &text) }
            append(element, &text)
        }
        JSONText.append(raw: "]", to: &text)
    }
}
