import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// The pages about the segments of an app: one lists them, and each segment has one of its own.
struct SegmentPages: Sendable {
    private static let done = [
        "saved": NoticeView(
            tone: "good", text: "Saved. No campaign has changed by it: each gets this version with a draft, which is reviewed."),
        "removed": NoticeView(tone: "good", text: "The segment is gone."),
        "used": NoticeView(tone: "warn", text: "Nothing was removed: the segment is in use, or another person has changed it."),
        "drafts": NoticeView(
            tone: "good", text: "The drafts are saved with this version. Send each to review; what is published stays until then."
        ),
        "none": NoticeView(tone: "info", text: "No draft was saved: every campaign that can has this version."),
    ]

    let route: CampaignRoute

    private var campaigns: CampaignAdministration { route.campaigns }
    private var segments: SegmentDesk { route.campaigns.segments }

    var routes: [OperationRoute] {
        [
            route.get("/segments") { request, visit in
                let query = try request.query(["done"])
                let view = SegmentListView(
                    try await segments.list(of: visit.app.bundleID), try await campaigns.all(of: visit.app),
                    done: query["done"].flatMap { Self.done[$0] }, visit)
                return route.route.pages.page(
                    view, title: "Segments", at: .segments, in: visit.app.bundleID, for: visit.visitor)
            },
            route.get("/segments/new", .campaignDrafts) { request, visit in
                _ = try request.query([])
                return try await page(SegmentState(nil, visit), visit)
            },
            route.post("/segments/new", .campaignDrafts, keepsForm: true) { request, visit, form in
                try await sent(nil, form, request.origin, visit)
            },
            route.get("/segments/{id}") { request, visit in
                let query = try request.query(["done"])
                let segment = try await segments.segment(request.parameter("id"), of: visit.app)
                return try await page(SegmentState(segment, visit, done: query["done"].flatMap { Self.done[$0] }), visit)
            },
            route.post("/segments/{id}", .campaignDrafts, keepsForm: true) { request, visit, form in
                try await sent(request.parameter("id"), form, request.origin, visit)
            },
            route.post("/segments/{id}/take-over", .campaignDrafts) { request, visit, _ in
                let managed = try await segments.segment(request.parameter("id"), of: visit.app)
                let segment = managed.segment
                let (saved, skipped) = try await campaigns.takeOver(
                    segment, of: visit.app, by: request.origin,
                    reason: "takes over segment \(segment.id), version \(segment.version ?? 0)")
                guard skipped.isEmpty else {
                    let names =
                        { $0.map { "“\($0.title)”" }.joined(separator: ", ") } as ([ManagedCampaign]) -> String
                    let done = NoticeView(
                        tone: "warn",
                        text: (saved.isEmpty ? "" : "Saved: \(names(saved)). ")
                            + "Not saved, because another person has just changed it or it would be too large: \(names(skipped))."
                    )
                    return try await page(SegmentState(managed, visit, done: done), visit, .conflict)
                }
                return redirect(visit.segmentPath(segment.id), saved.isEmpty ? "none" : "drafts")
            },
            route.post("/segments/{id}/remove", .campaignDrafts) { request, visit, form in
                let id = request.parameter("id")
                do {
                    let outcome = try await campaigns.removeSegment(id, of: visit.app, seen: form.seen, by: request.origin)
                    if case .done = outcome { return redirect(visit.segmentsPath, "removed") }
                } catch CampaignError.segmentInUse {}
                return redirect(visit.segmentPath(id), "used")
            },
        ]
    }

    private func redirect(_ path: String, _ done: String) -> Response {
        route.route.pages.redirect(to: "\(path)?done=\(done)")
    }

    /// Answers a submitted form.
    ///
    /// - Parameter id: the segment's id; nil for a new segment. If the segment was removed meanwhile, the form is that of a new
    ///   one.
    private func sent(_ id: String?, _ body: FormBody, _ origin: Origin, _ visit: CampaignVisit) async throws -> Response {
        let segment: ManagedSegment? = if let id { try await segments.existing(id, of: visit.app) } else { nil }
        var state = SegmentState(segment, visit, done: body.isOfThisSession ? nil : .kept)
        state.isUnsaved = true
        state.form = CampaignForm(body.all)
        state.seen = body.seen ?? 0
        state.reason = body["reason"]
        if let id { state.form[.id] = id }
        // A form that was sent in an earlier session is only shown again. The user can then send it once more.
        let step = body.isOfThisSession ? EditorStep(body["op"]) : .refresh
        guard step == .save else {
            let groups = Set(visit.app.catalogue.sorted.map(\.groupID)).sorted()
            let holder = body["op"].split(separator: ":").last.map(String.init) ?? "c"
            _ = step.apply(to: &state.form, fact: body["\(holder).new"], group: groups.first ?? "")
            return try await page(state, visit)
        }
        if state.form[.id].isEmpty { state.form[.id] = CampaignExamples.id(of: state.form[.name]) }
        do {
            switch try await segments.save(
                state.written(), of: visit.app, seen: state.seen, by: origin, reason: state.reason)
            {
            case .done(let saved): return redirect(visit.segmentPath(saved.segment.id), "saved")
            case .changedMeanwhile(let now): take(now, &state)
            }
        } catch let error as CampaignFaults {
            state.show(error.faults.map { .unreadable($0.name, "It \($0.reason).") }, visit)
        } catch CampaignError.faultySegment(let findings) {
            state.show(findings, visit)
        } catch CampaignError.invalidReason(let fault) {
            state.errors = FormErrors([("reason", "The reason \(fault.reason).")])
        }
        return try await page(state, visit, .unprocessableContent)
    }

    /// Keeps what the user has written, and shows the other user's change beside it.
    ///
    /// If the user saves again, that replaces the other user's change.
    private func take(_ now: ManagedSegment?, _ state: inout SegmentState) {
        if state.segment == nil, let now {
            state.errors = FormErrors([("id", "There is a segment \(now.segment.id) already. Give this one another id.")])
        } else {
            if now == nil {
                state.done = NoticeView(
                    tone: "warn", text: "The segment was removed meanwhile. What you wrote is kept; save again to make it anew.")
            }
            state.conflict = now
            state.segment = now
            state.seen = now?.version ?? 0
        }
    }

    private func page(_ state: SegmentState, _ visit: CampaignVisit, _ status: HTTPResponse.Status = .ok) async throws
        -> Response
    {
        let view = SegmentView(
            state, among: try await segments.list(of: visit.app.bundleID), try await campaigns.all(of: visit.app), visit)
        return route.route.pages.page(
            view, title: state.segment.map { "\($0.segment.name): segment" } ?? "New segment", at: .segments,
            in: visit.app.bundleID, for: visit.visitor, status: status)
    }
}

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

/// A segment in the list.
struct SegmentRow: TemplateView {
    let href: String
    let id: String
    let name: String
    let words: String
    /// Links to the campaigns that have a copy of the segment.
    let campaigns: [LinkView]
    /// How many campaigns have an earlier version of the segment, in words; nil if no campaign has one.
    let behind: String?
    let changed: RichText

    init(_ segment: ManagedSegment, uses: [SegmentUse], _ visit: CampaignVisit) {
        href = visit.segmentPath(segment.segment.id)
        id = segment.segment.id
        name = segment.segment.name
        words = segment.segment.condition.words(in: visit.app.catalogue).firstUppercased
        var seen: Set<String> = []
        campaigns = uses.filter { seen.insert($0.campaign.name.id).inserted }.map {
            LinkView(href: visit.path($0.campaign.name.id, "review"), label: $0.campaign.title)
        }
        let late = Set(uses.filter { !$0.isCurrent(segment.segment) }.map(\.campaign.name.id)).count
        behind = late == 0 ? nil : "\(ConsoleTime.count(late, "campaign")) with an earlier version"
        changed = visit.attribution(segment.changed)
    }
}
