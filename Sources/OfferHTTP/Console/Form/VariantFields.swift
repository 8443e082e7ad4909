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
    /// The link at which the App Store gives an offer, or an offer code of which the link is made.
    var link = ""
    /// The JSON of the product that Retention Messaging proposes, as in the draft.
    var switchTo = ""
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
        link = FormValue.shown(json.member("link"))
        switchTo = json.member("switchTo").map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        message = FormValue.shown(json.member("message"))
        if case .array(let all)? = json.member("offers") { offers = all.map { String(decoding: $0.bytes, as: UTF8.self) } }
        if let introductory = json.member("introductoryOffer"), introductory != .null {
            offers.append(String(decoding: introductory.bytes, as: UTF8.self))
        }
    }

    /// Reads a submitted form.
    init(_ fields: [String: [String]], number: Int) {
        id = fields["v.\(number).id"]?.first ?? ""
        name = fields["v.\(number).name"]?.first ?? ""
        weight = fields["v.\(number).weight"]?.first ?? ""
        offers = (fields["v.\(number).offer"] ?? []).filter { !$0.isEmpty }
        link = fields["v.\(number).link"]?.first ?? ""
        switchTo = fields["v.\(number).switchTo"]?.first ?? ""
        message = fields["v.\(number).message"]?.first ?? ""
    }

    /// The variant as the draft keeps it.
    ///
    /// A draft has one decision about an introductory offer. A second one is kept among the offers, where it is a fault that the
    /// page shows.
    var json: JSONValue {
        var offers = offers.map { (try? JSONValue(parsing: Array($0.utf8))) ?? .string($0) }
        let introductory = Self.introductoryPlace(offers).map { offers.remove(at: $0) }
        return .members([
            "id": .string(id), "name": FormValue.text(name.trimmed), "weight": FormValue.number(weight, by: 2),
            "offers": offers.isEmpty ? nil : .array(offers), "introductoryOffer": introductory,
            "link": FormValue.text(link.trimmed),
            "switchTo": switchTo.isEmpty ? nil : (try? JSONValue(parsing: Array(switchTo.utf8))) ?? .string(switchTo),
            "message": FormValue.text(message),
        ])
    }

    /// Which of the values is the decision about an introductory offer: the first that names a product and no offer.
    static func introductoryPlace(_ offers: [JSONValue]) -> Int? {
        offers.firstIndex { $0.member("offerId") == nil && ($0.member("productId") != nil || $0.member("allow") != nil) }
    }

    /// Makes the link of an offer code, if a code was typed in place of a link.
    ///
    /// - Parameter appAppleID: the app's id in the App Store; nil if the configuration does not have it. Then nothing changes.
    mutating func completeLink(of appAppleID: Int64?) {
        let code = link.trimmed
        guard let appAppleID, code.wholeMatch(of: /[A-Za-z0-9]+/) != nil else { return }
        link = "https://apps.apple.com/redeem?ctx=offercodes&id=\(appAppleID)&code=\(code)"
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
