import EligibilityRules
import WireText

/// The input of one offer of a variant.
struct VariantOfferView: TemplateView {
    let selectID: String
    /// The number among the offers of the variant.
    let place: Int
    let isFirst: Bool
    /// The offers of the catalogue, by product.
    let groups: [ChoiceList]
    /// The label of the chosen offer.
    let chosen: String
    let error: String?

    init(offer: String, variant: Int, place: Int, words: OfferWords, errors: FormErrors) {
        selectID = "v.\(variant).offer.\(place)"
        self.place = place + 1
        isFirst = place == 0
        var groups = words.choices.map { ChoiceList($1, chosen: offer, group: $0) }
        if !offer.isEmpty, !groups.contains(where: { $0.all.contains(where: \.isChosen) }) {
            groups.append(ChoiceList([(offer, Self.label(offer))], chosen: offer, group: "Not in the catalogue"))
        }
        self.groups = groups
        chosen = groups.lazy.flatMap(\.all).first(where: \.isChosen)?.label ?? ""
        error = errors[selectID].nonEmpty
    }

    private static func label(_ offer: String) -> String {
        guard let json = try? JSONValue(parsing: Array(offer.utf8)) else { return offer }
        return "\(FormValue.shown(json.member("offerId"))) on \(FormValue.shown(json.member("productId")))"
    }
}
