import EligibilityRules
import OfferService

/// A campaign in the list.
struct CampaignRow: TemplateView {
    /// Pausing or resuming, whichever is possible.
    struct Step: TemplateView {
        let action: String
        /// The version that the button was made from.
        let seen: String
        let op: String
        let label: String
    }

    let href: String
    let name: String
    let id: String
    let badges: [BadgeView]
    /// Nil if the campaign is not readable yet.
    let split: SplitBar?
    /// Nil if it was not counted yet.
    let figures: CampaignFiguresView?
    let priority: String
    /// When it starts or ends, or since when it does not run.
    let when: RichText
    /// The instant of the last change.
    let changed: RichText
    let who: String
    let did: String
    let step: Step?

    /// - Parameter query: the query string of the list, to which pausing and resuming return.
    init(_ campaign: ManagedCampaign, _ figures: CampaignFigures?, _ visit: CampaignVisit, query: String) {
        // Customers meet the published campaign, not the draft.
        let shown = (campaign.published?.text ?? campaign.text)?.campaign
        let last = campaign.lastChange
        href = visit.path(campaign.name.id, Self.part(campaign))
        name = CampaignHead.name(campaign)
        id = campaign.name.id
        badges = CampaignBadge.all(campaign)
        split = shown.map { SplitBar($0.variants) }
        self.figures = figures.map { CampaignFiguresView($0, visit.time) }
        priority = shown.map { "\($0.priority)" } ?? "–"
        when = Self.when(campaign, shown, visit.time)
        changed = visit.time.at(last.act.at, withZone: false)
        who = visit.name(last.act.by)
        did = last.words
        step = Self.step(campaign, visit, query)
    }

    /// Returns the tab to open.
    private static func part(_ campaign: ManagedCampaign) -> String {
        switch campaign.draft?.phase {
        case .inReview, .approved: "review"
        case .rejected: "rule"
        case nil, .some(.none), .writing: campaign.published == nil ? "rule" : "results"
        }
    }

    private static func when(_ campaign: ManagedCampaign, _ shown: Campaign?, _ time: ConsoleTime) -> RichText {
        switch campaign.state {
        case .scheduled: shown?.schedule.from.map { "starts \(time.live($0))" } ?? ""
        case .live: shown?.schedule.until.map { "ends \(time.live($0))" } ?? "until it is ended"
        case .paused, .ended: "since \(time.at(campaign.standingChange.at))"
        case .draft, .inReview: shown?.schedule.from.map { "starts \(time.at($0))" } ?? "when it is published"
        }
    }

    private static func step(_ campaign: ManagedCampaign, _ visit: CampaignVisit, _ query: String) -> Step? {
        guard visit.may(.campaignRuns), campaign.state != .ended, let op = CampaignListPage.step(campaign) else { return nil }
        return Step(
            action: visit.path(campaign.name.id, "state") + query, seen: "\(campaign.version)", op: op.rawValue,
            label: op == .pause ? "Pause" : "Resume")
    }
}
