import OfferService
import WireText

/// The head of every page about one campaign.
struct CampaignHead {
    /// The tabs of a campaign.
    enum Part: String, CaseIterable {
        case results = "Results"
        case rule = "Rule"
        case review = "Review"
        case testers = "Testers"
        case history = "History"

        var path: String { rawValue.lowercased() }
    }

    let visit: CampaignVisit
    let campaign: ManagedCampaign
    let part: Part

    /// Returns the name of a campaign for people. A draft renames nothing that is published, and may be unreadable.
    static func name(_ campaign: ManagedCampaign) -> String {
        let name = FormValue.shown((campaign.published?.text ?? campaign.text)?.json.member("name"))
        return name.isEmpty ? campaign.name.id : name
    }

    /// Returns the values for the template.
    func values(done: (tone: String, text: String)? = nil) -> [String: Any] {
        [
            "listPath": visit.path, "title": Self.name(campaign), "badges": CampaignBadge.all(campaign).map { $0 },
            "sub": sub, "hasTabs": true,
            "trial":
                "/console/apps/\(PercentEncoding.encoded(visit.app.bundleID))/try?with=\(PercentEncoding.encoded(campaign.name.id))",
            "tabs": Part.allCases.map { each in
                ["href": visit.path(campaign.name.id, each.path), "label": each.rawValue, "isCurrent": each == part]
                    as [String: Any]
            },
            "done": done.map { ["tone": $0.tone, "text": $0.text] as [String: Any] } ?? false,
        ]
    }

    private var sub: String {
        let id = "<code>\(ByteEscaping().escapeText(campaign.name.id))</code>"
        switch (campaign.published, campaign.draft) {
        case (nil, let draft?): return "\(id). Not published yet. Saved by \(visit.attribution(draft.saved))."
        case (let published?, nil):
            return "\(id). Revision \(published.number), published by \(visit.attribution(published.published))."
        case (let published?, let draft?):
            return
                "\(id). Revision \(published.number) is published. The draft was made from revision \(draft.basedOn); saved by \(visit.attribution(draft.saved))."
        case (nil, nil): return "\(id). Nothing is written."
        }
    }
}
