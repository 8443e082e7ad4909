import EligibilityRules
import OfferService

/// A campaign in the list.
struct CampaignRow: TemplateView {
    /// A button that takes a step.
    struct Step: TemplateView {
        let action: String
        /// The version of the campaign that the reader sees.
        ///
        /// The step is refused if another user has changed the campaign since.
        let seen: String
        let op: String
        let label: String
    }

    let href: String
    let name: String
    let id: String
    /// The person who wrote the campaign first.
    let owner: String
    let tags: [LinkView]
    let badges: [BadgeView]
    /// The shares of the variants; nil while the campaign's text cannot be read.
    let split: SplitBar?
    /// The figures; nil if they were not counted yet.
    let figures: CampaignFiguresView?
    let priority: String
    /// When the campaign starts or ends, or since when it is paused or ended.
    let when: RichText
    /// When the campaign was last changed.
    let changed: RichText
    let who: String
    let did: String
    /// The button that pauses or resumes the campaign, whichever is possible; nil if neither is.
    let step: Step?
    let hasMore: Bool
    /// The address at which a new campaign starts as a copy of this one; nil if the reader may not write campaigns.
    let copy: String?
    let archive: Step?
    /// The address of the page that discards the draft, if the campaign was never published; otherwise nil.
    let discard: String?

    /// - Parameters:
    ///   - search: the search that the list shows.
    ///   - query: the query string of that search, so that the page returns to it after a step.
    init(
        _ campaign: ManagedCampaign,
        _ figures: CampaignFigures?,
        _ visit: CampaignVisit,
        _ search: CampaignSearch,
        query: String
    ) {
        // The row shows the published campaign and not the draft, because only the published one decides what customers get.
        let shown = (campaign.published?.text ?? campaign.text)?.campaign
        let last = campaign.lastChange
        href = visit.path(campaign.name.id, Self.part(campaign))
        name = CampaignHead.name(campaign)
        id = campaign.name.id
        owner = visit.name(campaign.owner)
        tags = (campaign.text?.campaign?.tags ?? []).map { LinkView(href: visit.path + search.query(tag: $0), label: $0) }
        badges = CampaignBadge.all(campaign)
        split = shown.map { SplitBar($0.design.variants) }
        self.figures = figures.map { CampaignFiguresView($0, of: shown, visit.time) }
        priority = shown.map { "\($0.slot.priority)" } ?? "–"
        when = Self.when(campaign, shown, visit.time)
        changed = visit.time.at(last.act.at, withZone: false)
        who = visit.name(last.act.by)
        did = last.words
        step = Self.step(campaign, visit, query)
        copy = visit.copy(of: campaign)
        archive = Self.archive(campaign, visit, query)
        let isUnpublished = campaign.published == nil && campaign.position.after(.discard) != nil
        discard = isUnpublished && visit.may(.campaignDrafts) ? visit.path(campaign.name.id, "discard") : nil
        hasMore = copy != nil || archive != nil
    }

    /// Returns the tab that the campaign's link opens.
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
        case .paused, .ended: "since \(time.at(campaign.standsSince))"
        case .draft, .inReview: shown?.schedule.from.map { "starts \(time.at($0))" } ?? "when it is published"
        }
    }

    /// Returns the button that archives an ended campaign, or takes it out of the archive; nil if the campaign has not ended, or
    /// if the reader may do neither.
    static func archive(_ campaign: ManagedCampaign, _ visit: CampaignVisit, _ query: String = "") -> Step? {
        guard visit.may(.campaignRuns), campaign.state == .ended else { return nil }
        return Step(
            action: visit.path(campaign.name.id, "state") + query, seen: "\(campaign.version)",
            op: campaign.isArchived ? "unarchive" : "archive", label: campaign.isArchived ? "Take out of the archive" : "Archive")
    }

    private static func step(_ campaign: ManagedCampaign, _ visit: CampaignVisit, _ query: String) -> Step? {
        guard visit.may(.campaignRuns), campaign.state != .ended, let op = CampaignListPage.step(campaign) else { return nil }
        return Step(
            action: visit.path(campaign.name.id, "state") + query, seen: "\(campaign.version)", op: op.rawValue,
            label: op == .pause ? "Pause" : "Resume")
    }
}
