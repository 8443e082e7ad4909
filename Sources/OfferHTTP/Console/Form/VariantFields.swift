import EligibilityRules
import OfferService
import WireText

/// A variant as the editor's form has it: what is typed into each input.
struct VariantFields: Equatable {
    var id: String
    /// The name; if it is empty, pages show the id in its place.
    var name = ""
    /// The weight in percent.
    ///
    /// A draft keeps it in basis points.
    var weight: String
    /// The JSON of each offer, and of the decision about an introductory offer, as in the draft.
    var offers: [String]
    /// The id of the text that Retention Messaging shows.
    var message = ""

    init(id: String, weight: String, offers: [String] = []) {
        self.id = id
        self.weight = weight
        self.offers = offers
    }

    /// Reads a draft's variant.
    init(_ json: JSONValue) {
        id = FormValue.shown(json.member("id"))
        name = FormValue.shown(json.member("name"))
        weight = FormValue.shown(json.member("weight"), by: 2)
        offers = []
        message = FormValue.shown(json.member("message"))
        if case .array(let all)? = json.member("offers") { offers = all.map { String(decoding: $0.bytes, as: UTF8.self) } }
        if let introductory = json.member("introductoryOffer") {
            offers.append(String(decoding: introductory.bytes, as: UTF8.self))
        }
    }

    /// Reads a submitted form.
    init(_ fields: [String: [String]], number: Int) {
        id = fields["v.\(number).id"]?.first ?? ""
        name = fields["v.\(number).name"]?.first ?? ""
        weight = fields["v.\(number).weight"]?.first ?? ""
        offers = (fields["v.\(number).offer"] ?? []).filter { !$0.isEmpty }
        message = fields["v.\(number).message"]?.first ?? ""
    }

    /// The variant as the draft keeps it.
    ///
    /// A draft has one decision about an introductory offer. A second one is kept among the offers, where it is a fault that the
    /// page shows.
    var json: JSONValue {
        var offers = offers.map { (try? JSONValue(parsing: Array($0.utf8))) ?? .string($0) }
        let introductory = offers.firstIndex { $0.member("allow") != nil }.map { offers.remove(at: $0) }
        return .members([
            "id": .string(id), "name": FormValue.text(name.trimmed), "weight": FormValue.number(weight, by: 2),
            "offers": offers.isEmpty ? nil : .array(offers), "introductoryOffer": introductory,
            "message": FormValue.text(message),
        ])
    }

    /// Returns the JSON of a decision about an introductory offer, which is the value of its choice in the form.
    static func choice(_ offer: CampaignVariant.IntroductoryOffer) -> String {
        String(decoding: offer.json.bytes, as: UTF8.self)
    }

    /// Returns the JSON of an offer, which is the value of its choice in the form.
    static func choice(productID: String, offerID: String) -> String {
        String(
            decoding: JSONValue.members(["productId": .string(productID), "offerId": .string(offerID)]).bytes, as: UTF8.self)
    }
}
