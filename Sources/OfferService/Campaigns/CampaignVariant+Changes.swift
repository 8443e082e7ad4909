import EligibilityRules

extension CampaignVariant {
    /// The differences between two lists of variants, one line each.
    static func changes(_ old: [CampaignVariant], _ new: [CampaignVariant]) -> [String] {
        // Equal lists are recognised first. In a draft two variants may have the same id, and the code below would then find
        // differences even between equal lists.
        if old == new { return [] }
        var lines: [String] = []
        for variant in old where !new.contains(where: variant.isNamesake) {
            lines.append("variant \(variant.id): taken out; it had \(variant.words)")
        }
        for variant in new {
            if let before = old.first(where: variant.isNamesake) {
                lines += before.changes(to: variant).map { "variant \(variant.id): \($0)" }
            } else {
                lines.append("variant \(variant.id): new; it has \(variant.words)")
            }
        }
        let order = { (variants: [CampaignVariant], others: [CampaignVariant]) in
            variants.filter { variant in others.contains(where: variant.isNamesake) }.map { ExactText($0.id) }
        }
        if order(old, new) != order(new, old) {
            lines.append(
                "variants: in another order, which moves customers from one to another: \(new.map(\.id).joined(separator: ", "))")
        }
        return lines
    }

    private func isNamesake(_ other: CampaignVariant) -> Bool { ExactText(id) == ExactText(other.id) }

    private var words: String {
        let given =
            offers.map(\.words)
            + [introductoryOffer?.words, link.map { "the link \($0)" }, switchTo?.words].compactMap(\.self)
        let what = given.isEmpty ? "no offer" : given.joined(separator: ", ")
        return "\(ShareText.words(weight)), \(what)\(message.map { ", text \($0)" } ?? "")"
    }

    private func changes(to new: CampaignVariant) -> [String] {
        var lines: [String] = []
        if name != new.name { lines.append("name: \(name ?? "none") → \(new.name ?? "none")") }
        if weight != new.weight { lines.append("\(ShareText.words(weight)) → \(ShareText.words(new.weight))") }
        let (added, removed) = (new.offers.filter { !offers.contains($0) }, offers.filter { !new.offers.contains($0) })
        if !added.isEmpty { lines.append("also offers \(added.map(\.words).joined(separator: ", "))") }
        if !removed.isEmpty { lines.append("no longer offers \(removed.map(\.words).joined(separator: ", "))") }
        if added.isEmpty, removed.isEmpty, offers != new.offers {
            lines.append("offers in another order: \(new.offers.map(\.words).joined(separator: ", "))")
        }
        if introductoryOffer != new.introductoryOffer {
            let none = "left to the App Store"
            lines.append(
                "introductory offer: \(introductoryOffer?.words ?? none) → \(new.introductoryOffer?.words ?? none)")
        }
        if link.map(ExactText.init) != new.link.map(ExactText.init) {
            lines.append("link: \(link ?? "none") → \(new.link ?? "none")")
        }
        if switchTo != new.switchTo {
            lines.append("proposes: \(switchTo?.words ?? "no other product") → \(new.switchTo?.words ?? "no other product")")
        }
        switch (message, new.message) {
        case (nil, let text?): lines.append("also shows text \(text)")
        case (let text?, nil): lines.append("no longer shows text \(text)")
        case (let before?, let text?) where before != text: lines.append("shows text \(text), no longer \(before)")
        default: break
        }
        return lines
    }
}

extension CampaignVariant.IntroductoryOffer {
    fileprivate var words: String { "\(isAllowed ? "the" : "no") introductory offer of \(productID)" }
}

extension CampaignVariant.Switch {
    fileprivate var words: String { "a switch to \(productID)\(billingPlan.map { ", billed \($0.rawValue)" } ?? "")" }
}

extension CampaignVariant.Offer {
    fileprivate var words: String { "\(offerID) of \(productID)" }
}
