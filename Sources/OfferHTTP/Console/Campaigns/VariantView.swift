import EligibilityRules
import WireText

/// The inputs for a variant.
struct VariantView: TemplateView {
    /// The inputs for the text that the App Store shows to customers who are about to cancel, and for the product that it
    /// proposes.
    struct Text: TemplateView {
        let message: String
        let messageError: String?
        let products: [FieldView.Choice]
        let switchError: String?
    }

    /// The input for a link.
    struct Link: TemplateView {
        let link: String
        let linkError: String?
        /// Whether the input is unfolded.
        let isOpen: Bool
    }

    let index: Int
    let number: Int
    /// The CSS class of the variant's colour.
    let `class`: String
    let name: String
    let label: String
    let nameError: String?
    let idError: String?
    let weight: String
    let weightError: String?
    let offers: [VariantOfferView]
    let text: Text?
    let link: Link?
    /// The address of this part of the form, to which the button that removes the variant leads.
    let here: String
    /// The address of the input that the button for another offer adds; nil if there is no such button.
    let offerHere: String?

    /// - Parameters:
    ///   - isRetention: whether the campaign answers the App Store's requests about customers who are about to cancel, so that a
    ///     variant can name a text for them.
    ///   - action: the address to which the form is sent.
    ///   - fresh: the id of the input that was just added; empty if none was.
    init(
        variant: VariantFields,
        index: Int,
        words: OfferWords,
        errors: FormErrors,
        isRetention: Bool,
        action: String,
        fresh: String
    ) {
        self.index = index
        number = index + 1
        `class` = SplitBar.style(index)
        name = variant.id
        label = variant.name
        nameError = errors["v.\(index).name"].nonEmpty
        idError = errors["v.\(index).id"].nonEmpty
        weight = variant.weight
        weightError = errors["v.\(index).weight"].nonEmpty
        // After the user has pressed the button for another offer, there is an empty input for it.
        let shown = variant.offers.isEmpty ? [""] : variant.offers
        let next = "v.\(index).offer.\(shown.count)"
        offers = (shown + (fresh == next ? [""] : [])).enumerated().map {
            VariantOfferView(offer: $1, variant: index, place: $0, words: words, errors: errors)
        }
        text =
            isRetention || !variant.message.isEmpty || !variant.switchTo.isEmpty
            ? Text(
                message: variant.message, messageError: errors["v.\(index).message"].nonEmpty,
                products: words.products(chosen: variant.switchTo), switchError: errors["v.\(index).switchTo"].nonEmpty)
            : nil
        link =
            isRetention && variant.link.isEmpty
            ? nil
            : Link(link: variant.link, linkError: errors["v.\(index).link"].nonEmpty, isOpen: !variant.link.isEmpty)
        here = "\(action)#variants"
        let mayAddOffer = !variant.offers.isEmpty && words.mayCombine && fresh != next
        offerHere = mayAddOffer ? "\(action)#\(next)" : nil
    }
}

/// The input for one offer of a variant.
struct VariantOfferView: TemplateView {
    let selectID: String
    /// The number of the offer among those of the variant, from 1.
    let place: Int
    let isFirst: Bool
    /// The offers of the catalogue, by product.
    let groups: [ChoiceList]
    /// The label of the offer that is chosen.
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
        guard json.member("allow") == nil else {
            return
                "\(json.member("allow") == .bool(true) ? "introductory offer" : "no introductory offer") on \(FormValue.shown(json.member("productId")))"
        }
        return "\(FormValue.shown(json.member("offerId"))) on \(FormValue.shown(json.member("productId")))"
    }
}
