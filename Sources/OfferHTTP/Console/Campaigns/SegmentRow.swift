import EligibilityRules
import OfferService

/// A segment in the list.
struct SegmentRow: TemplateView {
    let href: String
    let id: String
    let name: String
    let words: String
    /// The campaigns that have a copy.
    let campaigns: [LinkView]
    /// The number of campaigns with an earlier version, in words.
    let behind: String?
    let changed: RichText

    init(_ segment: ManagedSegment, uses: [SegmentUse], _ visit: CampaignVisit) {
        href = visit.segmentPath(segment.segment.id)
        id = segment.segment.id
        name = segment.segment.name
        words = segment.segment.condition.words(in: visit.app.catalogue).firstUppercased
        var seen: Set<String> = []
        campaigns = uses.filter { seen.insert($0.campaign.name.id).inserted }.map {
            LinkView(href: visit.path($0.campaign.name.id, "review"), label: CampaignHead.name($0.campaign))
        }
        let late = Set(uses.filter { !$0.isCurrent(segment.segment) }.map(\.campaign.name.id)).count
        behind = late == 0 ? nil : "\(ConsoleTime.count(late, "campaign")) with an earlier version"
        changed = visit.attribution(segment.changed)
    }
}
