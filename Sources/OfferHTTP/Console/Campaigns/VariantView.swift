import EligibilityRules
import WireText

/// A variant's inputs, for the template.
struct VariantView {
    let variant: VariantFields
    let index: Int
    let catalogue: Catalogue
    let errors: FormErrors
    /// Whether the campaign answers the App Store's request about customers who cancel, so that a text can be shown.
    let isRetention: Bool
    /// The address that the form is sent to.
    let action: String
    /// The id of the row that was just added.
    let fresh: String

    /// The values for the template.
    var values: [String: Any] {
        // A button asks for one input more than there are offers.
        let shown = variant.offers.isEmpty ? [""] : variant.offers
        let extra = fresh == "v.\(index).offer.\(shown.count)" ? [""] : []
        return [
            "number": index + 1, "index": index, "class": SplitBar.style(index), "name": variant.id, "weight": variant.weight,
            "idError": FieldView.optional(errors["v.\(index).id"]),
            "weightError": FieldView.optional(errors["v.\(index).weight"]),
            "offers": (shown + extra).enumerated().map { offer($1, place: $0) },
            "text": isRetention || !variant.message.isEmpty
                ? ["message": variant.message, "messageError": FieldView.optional(errors["v.\(index).message"])] as [String: Any]
                : false as Any,
            "here": "\(action)#variants", "mayAddOffer": !variant.offers.isEmpty && catalogue.sorted.count > 1 && extra.isEmpty,
            "offerHere": "\(action)#v.\(index).offer.\(shown.count)",
        ]
    }

    private func offer(_ offer: String, place: Int) -> [String: Any] {
        var groups = OfferWords(catalogue: catalogue).choices.map { product, offers in
            (product, offers.map { (id: $0.id, label: $0.label) })
        }
        if !offer.isEmpty, !groups.contains(where: { $0.1.contains { $0.id == offer } }) {
            groups.append(("Not in the catalogue", [(offer, Self.label(offer))]))
        }
        return [
            "selectID": "v.\(index).offer.\(place)", "place": place + 1, "isFirst": place == 0,
            "error": FieldView.optional(errors["v.\(index).offer.\(place)"]),
            "chosen": groups.lazy.flatMap(\.1).first { $0.id == offer }?.label ?? "",
            "groups": groups.map { product, offers in
                [
                    "product": product,
                    "all": offers.map { ["id": $0.id, "label": $0.label, "isChosen": $0.id == offer] as [String: Any] },
                ] as [String: Any]
            },
        ]
    }

    private static func label(_ offer: String) -> String {
        guard let json = try? JSONValue(parsing: Array(offer.utf8)) else { return offer }
        return "\(FormValue.shown(json.member("offerId"))) on \(FormValue.shown(json.member("productId")))"
    }
}
