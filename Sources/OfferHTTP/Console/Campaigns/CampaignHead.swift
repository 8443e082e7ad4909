import OfferService
import WireText

/// The top of every page about one campaign, for the template `campaign-head`.
struct CampaignHead: TemplateView {
    /// The tabs of a campaign.
    enum Part: String, CaseIterable {
        case results = "Results"
        case rule = "Rule"
        case review = "Review"
        case testers = "Testers"
        case history = "History"

        var path: String { rawValue.lowercased() }
    }

    let listPath: String
    let title: String
    let badges: [BadgeView]
    let sub: RichText
    /// The address of the page that tries the campaign on a customer; nil if the campaign is not saved yet.
    let trial: String?
    /// The address at which a new campaign starts as a copy of this one; nil if the reader may not write campaigns.
    let copy: String?
    /// The button that archives an ended campaign, or takes it out of the archive; nil if neither is possible.
    let archive: CampaignRow.Step?
    let tabs: [TabView]
    let done: NoticeView?

    /// - Parameter done: the notice about the result of the reader's last action; nil if there was none.
    init(_ campaign: ManagedCampaign, at part: Part, _ visit: CampaignVisit, done: NoticeView? = nil) {
        listPath = visit.path
        title = campaign.title
        badges = CampaignBadge.all(campaign)
        sub = Self.sub(campaign, visit)
        trial =
            "/console/apps/\(PercentEncoding.encoded(visit.app.bundleID))/try?with=\(PercentEncoding.encoded(campaign.name.id))"
        copy = visit.copy(of: campaign)
        archive = CampaignRow.archive(campaign, visit)
        tabs = Part.allCases.map { each in
            TabView(href: visit.path(campaign.name.id, each.path), label: each.rawValue, isCurrent: each == part)
        }
        self.done = done
    }

    /// Creates the head of the page about a campaign that is not saved yet.
    init(new title: String, sub: RichText, _ visit: CampaignVisit) {
        listPath = visit.path
        self.title = title
        badges = []
        self.sub = sub
        trial = nil
        copy = nil
        archive = nil
        tabs = []
        done = nil
    }

    private static func sub(_ campaign: ManagedCampaign, _ visit: CampaignVisit) -> RichText {
        let id: RichText = "\(code: campaign.name.id)"
        let ended: RichText = campaign.state == .ended ? " Ended \(visit.time.at(campaign.standsSince))." : ""
        switch (campaign.published, campaign.draft) {
        case (nil, let draft?): return "\(id). Not published yet. Saved by \(visit.attribution(draft.saved))."
        case (let published?, nil):
            return "\(id). Revision \(published.number), published by \(visit.attribution(published.published)).\(ended)"
        case (let published?, let draft?):
            return
                "\(id). Revision \(published.number) is published. The draft was made from revision \(draft.basedOn); saved by \(visit.attribution(draft.saved)).\(ended)"
        case (nil, nil): return "\(id). Nothing is written."
        }
    }
}
