import EligibilityRules
import OfferService

/// An offer of a product in the catalogue.
struct CatalogueOfferRow: TemplateView {
    let id: String
    let kind: String
    let terms: String
    let limits: String
    /// The campaigns that give it.
    let campaigns: [LinkView]

    init(
        id: String, kind: String, terms: String, _ offer: SubscriptionOffer, usedBy users: [ManagedCampaign],
        _ visit: CampaignVisit
    ) {
        self.id = id
        self.kind = kind
        self.terms = terms
        limits = offer.limits.map(Self.words) ?? "none"
        campaigns = users.map { LinkView(href: visit.path($0.name.id, "review"), label: CampaignHead.name($0)) }
    }

    private static func words(_ limits: OfferLimits) -> String {
        var words: [String] = []
        if let count = limits.perCustomer {
            words.append("\(count) per customer\(limits.per.map { " in \(PeriodWords.text($0.text))" } ?? "")")
        }
        if let cooldown = limits.cooldown { words.append("again after \(PeriodWords.text(cooldown.text))") }
        if limits.notWhileActive { words.append("not for subscribers") }
        if let total = limits.total { words.append("\(ConsoleTime.number(total)) in all") }
        return words.isEmpty ? "none" : words.joined(separator: ", ")
    }
}
