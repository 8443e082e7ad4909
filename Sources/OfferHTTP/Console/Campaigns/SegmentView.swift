import EligibilityRules
import OfferService

/// The page of a segment: its form, and the campaigns that use it.
struct SegmentView: PageView {
    static let template = "segment"

    /// The notice that another user has changed the segment first.
    struct Conflict: TemplateView {
        let who: RichText
        let words: String
    }

    let listPath: String
    let title: String
    let sub: RichText
    let done: NoticeView?
    let hasErrors: Bool
    let errors: [ErrorView]
    let conflict: Conflict?
    /// The saved segment in words.
    let words: String?

    /// `yes` if the form has input that is not saved, so that leaving the page asks.
    let unsaved: String
    let action: String
    let seen: String
    let isClosed: Bool
    let name: FieldView
    let id: FieldView?
    let audience: AudienceView
    let reason: FieldView

    let isSaved: Bool
    let hasUses: Bool
    let uses: [SegmentUseRow]
    /// How many drafts can take over this version of the segment, in words; nil if none can, or if the reader may not write
    /// drafts.
    let late: String?
    let takeOver: String
    /// Links to the other segments whose conditions name this one.
    let segments: [LinkView]
    /// The address to which the form that removes the segment is sent; nil if it is in use, or if the reader may not remove it.
    let removal: String?
    let mayWrite: Bool

    /// - Parameter all: all segments of the app.
    init(_ state: SegmentState, among all: [ManagedSegment], _ campaigns: [ManagedCampaign], _ visit: CampaignVisit) {
        let (segment, catalogue) = (state.segment?.segment, visit.app.catalogue)
        let found = segment.map { SegmentUse.all(of: $0.id, in: campaigns, at: visit.now) } ?? []
        let users = all.filter { other in segment.map { other.segment.condition.segmentIDs.contains($0.id) } ?? false }
        listPath = visit.segmentsPath
        title = segment?.name ?? "New segment"
        sub =
            state.segment.map { "\(code: $0.segment.id). Version \($0.version), saved by \(visit.attribution($0.changed))." }
            ?? "Customers with a name, for several campaigns of \(visit.app.bundleID). Nothing is saved yet."
        unsaved = state.isUnsaved ? "yes" : "no"
        done = state.done
        hasErrors = !state.errors.isEmpty
        errors = state.errors.views
        conflict = state.conflict.map {
            Conflict(
                who: visit.attribution($0.changed),
                words: $0.segment.condition.words(in: catalogue).firstUppercased)
        }
        words = segment.map { $0.condition.words(in: catalogue).firstUppercased }
        mayWrite = visit.may(.campaignDrafts)
        isClosed = !mayWrite
        action = state.action(visit)
        seen = "\(state.seen)"
        name = FieldView(id: "name", label: "Name", value: state.form[.name], state.errors)
        id =
            segment == nil
            ? FieldView(
                id: "id", label: "Id", value: state.form[.id],
                hint: "Empty: made of the name. It never changes, and files name the segment by it.", state.errors) : nil
        audience = AudienceView(
            form: state.form.audience, catalogue: catalogue,
            segments: all.map(\.segment).filter { $0.id != segment?.id }, errors: state.errors, action: action, lock: "")
        reason = FieldView(
            id: "reason", label: "Why it changes", value: state.reason, hint: "It goes into the audit log.", FormErrors.none)
        isSaved = segment != nil
        hasUses = !found.isEmpty || !users.isEmpty
        uses = segment.map { segment in found.map { SegmentUseRow($0, of: segment, visit) } } ?? []
        let late = segment.map { segment in found.count { $0.mayFollow(segment) } } ?? 0
        self.late = late > 0 && mayWrite ? "\(ConsoleTime.count(late, "draft"))" : nil
        takeOver = "\(action)/take-over"
        segments = users.map { LinkView(href: visit.segmentPath($0.segment.id), label: $0.segment.name) }
        removal = segment != nil && !hasUses && mayWrite ? "\(action)/remove" : nil
    }
}

/// A campaign that has a copy of a segment.
struct SegmentUseRow: TemplateView {
    let campaign: LinkView
    let badges: [BadgeView]
    /// Where the copy is, and its version: `draft, version 3` or `published, version 2`.
    let copy: String
    /// Whether the copy agrees with the segment as it is now.
    let isCurrent: Bool
    /// What has changed in the segment since the copy was made, in words.
    let changes: [String]
    /// The address at which a new campaign starts as a copy of this one.
    ///
    /// There is an address if the campaign has begun, because its own audience can then not take over the segment's change. It is
    /// nil if that is not needed, or if the reader may not write campaigns.
    let anew: String?

    init(_ use: SegmentUse, of segment: Segment, _ visit: CampaignVisit) {
        let catalogue = visit.app.catalogue
        campaign = LinkView(href: visit.path(use.campaign.name.id, "review"), label: use.campaign.title)
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
