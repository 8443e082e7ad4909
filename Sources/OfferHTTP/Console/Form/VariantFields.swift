import EligibilityRules
import OfferService
import WireText

/// A variant as inputs.
struct VariantFields: Equatable {
    var id: String
    /// Percent.
    var weight: String
    /// JSON of each offer, as the draft has it.
    var offers: [String]
    /// The id of the text that Retention Messaging shows.
    var message = ""

    /// Takes the values as they are.
    init(id: String, weight: String, offers: [String] = []) {
        self.id = id
        self.weight = weight
        self.offers = offers
    }

    /// Of what the draft says.
    init(_ json: JSONValue) {
        id = FormValue.shown(json.member("id"))
        weight = FormValue.shown(json.member("weight"), by: 2)
        offers = []
        message = FormValue.shown(json.member("message"))
        if case .array(let all)? = json.member("offers") { offers = all.map { String(decoding: $0.bytes, as: UTF8.self) } }
    }

    /// What was sent.
    init(_ fields: [String: [String]], number: Int) {
        id = fields["v.\(number).id"]?.first ?? ""
        weight = fields["v.\(number).weight"]?.first ?? ""
        offers = (fields["v.\(number).offer"] ?? []).filter { !$0.isEmpty }
        message = fields["v.\(number).message"]?.first ?? ""
    }

    /// As the draft says it.
    var json: JSONValue {
        .members([
            "id": .string(id), "weight": FormValue.number(weight, by: 2),
            "offers": offers.isEmpty
                ? nil : .array(offers.map { (try? JSONValue(parsing: Array($0.utf8))) ?? .string($0) }),
            "message": FormValue.text(message),
        ])
    }

    /// An offer as a choice.
    static func choice(productID: String, offerID: String) -> String {
        String(
            decoding: JSONValue.members(["productId": .string(productID), "offerId": .string(offerID)]).bytes, as: UTF8.self)
    }
}
