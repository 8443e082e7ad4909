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
    /// The priority and the placement: `priority 5, checkout`.
    let slot: String
    /// The person who wrote the campaign first, and its id: `by marketing-1, spring-winback`.
    let origin: String
    let tags: [LinkView]
    let badges: [BadgeView]
    /// The figures; nil if they were not counted yet.
    let figures: CampaignFiguresView?
    /// What the day beside it means: that the campaign starts or ends then, or since when it is paused or ended.
    let when: String
    let day: MomentText?
    /// When the campaign was last changed.
    let changed: MomentText
    /// Who changed it, and how: `marketing-1 saved a draft`.
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
        name = campaign.title
        slot =
            shown.map { ["priority \($0.slot.priority)", $0.slot.placement].compactMap(\.self).joined(separator: ", ") }
            ?? "not readable yet"
        origin = "by \(visit.name(campaign.owner)), \(campaign.name.id)"
        tags = (campaign.text?.campaign?.tags ?? []).map { LinkView(href: visit.path + search.query(tag: $0), label: $0) }
        badges = CampaignBadge.all(campaign)
        self.figures = figures.map { CampaignFiguresView($0, of: shown) }
        let (when, day) = Self.when(campaign, shown?.schedule)
        self.when = when
        self.day = day.map { visit.time.moment($0, as: visit.time.day($0)) }
        changed = visit.time.moment(last.act.at, as: visit.time.plain(last.act.at))
        did = "\(visit.name(last.act.by)) \(last.words)"
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

    private static func when(_ campaign: ManagedCampaign, _ schedule: CampaignSchedule?) -> (String, Instant?) {
        switch campaign.state {
        case .live: schedule?.until.map { ("ends", $0) } ?? ("until it is ended", nil)
        case .paused, .ended: ("since", campaign.standsSince)
        case .draft, .inReview, .scheduled: schedule?.from.map { ("starts", $0) } ?? ("when it is published", nil)
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
