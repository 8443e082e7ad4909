import EligibilityRules
import OfferService

/// A campaign that has a copy of a segment.
struct SegmentUseRow: TemplateView {
    let campaign: LinkView
    let badges: [BadgeView]
    /// The copy: in the draft or published, with its version.
    let copy: String
    /// Whether the copy is the segment as it is now.
    let isCurrent: Bool
    /// The way from the copy to the segment as it is now, in words.
    let changes: [String]
    /// The address of a copy of a campaign that has begun, whose own audience stays.
    let anew: String?

    init(_ use: SegmentUse, of segment: Segment, _ visit: CampaignVisit) {
        let catalogue = visit.app.catalogue
        campaign = LinkView(href: visit.path(use.campaign.name.id, "review"), label: CampaignHead.name(use.campaign))
        badges = CampaignBadge.all(use.campaign)
        copy = (use.isDraft ? "draft" : "published") + (use.copy.version.map { ", version \($0)" } ?? "")
        isCurrent = use.isCurrent(segment)
        changes =
            isCurrent
            ? [] : use.copy.named(in: catalogue).changes(to: segment.named(in: catalogue))
        anew =
            use.isFixed && !isCurrent && visit.may(.campaignDrafts)
            ? "\(visit.path)/new?copy=\(PercentEncoding.encoded(use.campaign.name.id))" : nil
    }
}
