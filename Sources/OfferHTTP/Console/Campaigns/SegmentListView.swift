import EligibilityRules
import OfferService

/// The segments of an app, and the campaigns that use each.
struct SegmentListView: PageView {
    static let template = "segments"

    let app: String
    let path: String
    let mayWrite: Bool
    let done: NoticeView?
    let hasSegments: Bool
    let segments: [SegmentRow]

    init(_ segments: [ManagedSegment], _ campaigns: [ManagedCampaign], done: NoticeView?, _ visit: CampaignVisit) {
        app = visit.app.bundleID
        path = visit.segmentsPath
        mayWrite = visit.may(.campaignDrafts)
        self.done = done
        hasSegments = !segments.isEmpty
        self.segments = segments.map { segment in
            SegmentRow(segment, uses: SegmentUse.all(of: segment.segment.id, in: campaigns, at: visit.now), visit)
        }
    }
}
