import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// The editor of a campaign's draft.
///
/// The user's input is kept even if it has faults, or if another user has saved a change first.
struct CampaignEditor: Sendable {
    private static let done = [
        "saved": NoticeView(tone: "good", text: "The draft is saved."),
        "back": NoticeView(tone: "good", text: "The draft is yours to change again."),
        "rebased": NoticeView(
            tone: "good", text: "Your changes stand on the latest revision now. Look through them, then send them to review."
        ),
        "winner": NoticeView(
            tone: "good",
            text: "The draft gives the winner to all. Look through it, then send it to review. Once it is live, end the test."
        ),
        "discarded": NoticeView(tone: "good", text: "The draft is gone. What is published stays."),
        "unchanged": NoticeView(tone: "info", text: "Nothing was changed, so there is no draft."),
    ]

    let route: CampaignRoute
    let reach: ReachPanel

    private var campaigns: CampaignAdministration { route.campaigns }

    var routes: [OperationRoute] {
        [
            route.get("/campaigns/new", .campaignDrafts) { request, visit in
                let query = try request.query(["example", "copy", "revision"])
                return try await new(
                    query["example"] ?? "", copy: query["copy"], revision: query["revision"].map { Int($0) ?? 0 }, visit)
            },
            route.post("/campaigns/new", .campaignDrafts, keepsForm: true) { request, visit, form in
                try await sent(nil, form, request.origin, visit)
            },
            route.get("/campaigns/{id}/rule") { request, visit in
                let query = try request.query(["done", "reach"])
                let campaign = try await route.campaign(request, visit)
                var state = try await saved(campaign, visit, done: query["done"].flatMap { Self.done[$0] })
                if query["reach"] != nil { state.reach = try await reach.count(state.base, state.form, visit) }
                return try await page(state, visit)
            },
            route.post("/campaigns/{id}/rule", .campaignDrafts, keepsForm: true) { request, visit, form in
                try await sent(try await route.campaign(request, visit), form, request.origin, visit)
            },
        ]
    }

    /// Shows the form of a new campaign.
    ///
    /// - Parameters:
    ///   - copy: the id of the campaign to duplicate; nil to duplicate none.
    ///   - revision: the revision to duplicate; nil for the draft, or for the latest revision if there is no draft.
    private func new(_ example: String, copy: String?, revision: Int?, _ visit: CampaignVisit) async throws -> Response {
        var json = CampaignExamples.json(example, for: visit.app.bundleID, visit.app.catalogue)
        if let copy {
            let text =
                if let revision { try await campaigns.revision(revision, of: copy, visit.app).text } else {
                    try await campaigns.campaign(copy, of: visit.app).text
                }
            if let text {
                json = text.json.setting("id", .string(""))
                    .setting("name", .string("\(FormValue.shown(text.json.member("name"))) (copy)"))
                // A copy of an ended campaign must not end at once, so a schedule whose end has passed is left out.
                if text.campaign?.schedule.until.map({ $0 <= visit.now }) == true { json = json.setting("schedule", nil) }
            }
        }
        return try await page(EditorState(form: CampaignForm(json, in: visit.zone), base: json), visit)
    }

    /// Returns the editor's state for a campaign as it is saved.
    private func saved(
        _ campaign: ManagedCampaign,
        _ visit: CampaignVisit,
        done: NoticeView? = nil
    ) async throws -> EditorState {
        let json = campaign.text?.json ?? .object([])
        let form = CampaignForm(json, in: visit.zone)
        let findings = try await campaigns.findings(campaign)
        // Findings are shown only if there is a draft. A published campaign needs no corrections until a user edits it.
        let shownFindings = campaign.draft == nil ? [] : findings
        return EditorState(
            campaign: campaign, form: form, base: json, seen: campaign.version, findings: shownFindings,
            errors: FormErrors(shownFindings, in: form, visit.zone), locks: CampaignLocks(campaign, json, at: visit.now),
            note: campaign.draft?.saved.reason ?? "", done: done)
    }

    private func sent(_ campaign: ManagedCampaign?, _ body: FormBody, _ origin: Origin, _ visit: CampaignVisit) async throws
        -> Response
    {
        // A form that was sent in an earlier session is only shown again. The user can then send it once more.
        let step = body.isOfThisSession ? EditorStep(body["op"]) : .refresh
        if step == .returnToDraft, let campaign { return try await returnToDraft(campaign, body, origin, visit) }
        // If the editor is closed, its form contains no inputs, so there is nothing to keep.
        guard body["whole"] == "yes" else {
            return route.route.pages.redirect(to: campaign.map { visit.path($0.name.id, "rule") } ?? visit.path)
        }
        var form = CampaignForm(body.all)
        for index in form.variants.indices { form.variants[index].completeLink(of: visit.app.appAppleID) }
        if let campaign { form[.id] = campaign.name.id }
        if campaign == nil, form[.id].isEmpty, step == .save || step == .review {
            form[.id] = CampaignExamples.id(of: form[.name])
        }
        var json = form.json(bundleID: visit.app.bundleID, in: visit.zone)
        if let campaign { json = CampaignLocks.kept(json, body["locked"].split(separator: ",").map(String.init), of: campaign) }
        let base = (try? JSONValue(parsing: Array(body["base"].utf8))) ?? json
        json = json.setting("segments", base.member("segments"))
        var state = EditorState(
            campaign: campaign, form: CampaignForm(json, in: visit.zone), base: base, seen: body.seen,
            note: body["note"],
            newNote: body["newNote"].trimmed,
            done: body.isOfThisSession ? nil : .kept,
            isUnsaved: true)
        switch step {
        case .save: return try await save(json, &state, origin, visit, thenSubmit: false)
        case .review: return try await save(json, &state, origin, visit, thenSubmit: true)
        case .merge: return try await merge(json, &state, visit)
        case .note:
            state.locks = CampaignLocks(campaign, json, at: visit.now)
            do {
                if let campaign, try await add(state.newNote, to: campaign, origin, visit) {
                    state.newNote = ""
                    state.done = NoticeView(tone: "good", text: "The note is added. The rest of the form is not saved yet.")
                }
            } catch let error as CampaignError { return try await refused(error, &state, visit) }
            return try await page(state, visit)
        case .reach:
            state.locks = CampaignLocks(campaign, json, at: visit.now)
            state.reach = try await reach.count(json, state.form, visit)
            if body["part"] == "reach" {
                let isClosed = EditorClosedView(state, visit) != nil
                return route.route.pages.part(ReachView(state, visit, isClosed: isClosed))
            }
            return try await page(state, visit)
        default:
            let groups = Set(visit.app.catalogue.sorted.map(\.groupID)).sorted()
            let holder = body["op"].split(separator: ":").last.map(String.init) ?? "c"
            state.fresh = step.apply(to: &state.form, fact: body["\(holder).new"], group: groups.first ?? "")
            state.locks = CampaignLocks(campaign, json, at: visit.now)
            return try await page(state, visit)
        }
    }

    private func save(
        _ json: JSONValue,
        _ state: inout EditorState,
        _ origin: Origin,
        _ visit: CampaignVisit,
        thenSubmit: Bool
    ) async throws -> Response {
        // The note is added after the draft is saved. Its faults must be found before, so that nothing is saved if the note is
        // refused.
        if let fault = TextLimit.reason.fault(of: state.newNote) {
            return try await refused(.invalidReason(fault), &state, visit)
        }
        if let campaign = state.campaign, let published = campaign.published, campaign.draft == nil,
            said(published.text.json, visit) == said(json, visit),
            // The form does not contain the draft's copies of segments, because saving makes new copies. The comparison therefore
            // uses the copies that saving would make.
            try await campaigns.withSegments(CampaignText(json: json), of: visit.app).legible?.segments.map(\.condition)
                == published.text.legible?.segments.map(\.condition)
        {
            let isNoted = try await add(state.newNote, to: campaign, origin, visit)
            return route.route.pages.redirect(to: visit.path(campaign.name.id, "rule") + (isNoted ? "#notes" : "?done=unchanged"))
        }
        let (id, text) = (FormValue.shown(json.member("id")), CampaignText(json: json))
        var outcome: CampaignAdministration.Outcome
        do {
            outcome =
                state.campaign == nil
                ? try await campaigns.create(id, text, of: visit.app, by: origin, reason: state.note)
                : try await campaigns.save(id, text, of: visit.app, seen: state.seen, by: origin, reason: state.note)
            // If the other campaign with this id was never published and its draft was discarded, the id may be used again.
            if case .changedMeanwhile(let other) = outcome, state.campaign == nil, other.text == nil {
                outcome = try await campaigns.save(id, text, of: visit.app, seen: other.version, by: origin, reason: state.note)
            }
        } catch let error as CampaignError {
            return try await refused(error, &state, visit)
        }
        switch (outcome, state.campaign) {
        case (.done(let campaign), _):
            _ = try await add(state.newNote, to: campaign, origin, visit)
            if thenSubmit { return try await submit(campaign, state.note, origin, visit) }
            return route.route.pages.redirect(to: visit.path(campaign.name.id, "rule") + "?done=saved")
        case (.changedMeanwhile(let other), nil):
            state.errors = FormErrors([
                ("id", "There is a campaign \(other.name.id) already, “\(other.title)”. Give this one another id.")
            ])
        case (.changedMeanwhile(let other), _?):
            state.campaign = other
            state.conflict = EditorState.Conflict(now: other, base: CampaignText(json: state.base), mine: text)
            state.locks = CampaignLocks(other, json, at: visit.now)
        }
        return try await page(state, visit, .unprocessableContent)
    }

    /// Adds a note that does not belong to a step. Returns false if there is no note, or if the reader may not write notes.
    private func add(_ note: String, to campaign: ManagedCampaign, _ origin: Origin, _ visit: CampaignVisit) async throws -> Bool
    {
        guard !note.isEmpty, visit.may(.campaignRuns) else { return false }
        _ = try await campaigns.note(note, on: campaign.name.id, of: visit.app, by: origin)
        return true
    }

    /// Returns a campaign's JSON as the form would write it. In this form two texts can be compared field by field, even if one
    /// was written in another way.
    private func said(_ json: JSONValue, _ visit: CampaignVisit) -> JSONValue {
        CampaignForm(json, in: visit.zone).json(bundleID: visit.app.bundleID, in: visit.zone)
    }

    private func submit(_ campaign: ManagedCampaign, _ note: String, _ origin: Origin, _ visit: CampaignVisit) async throws
        -> Response
    {
        do {
            let outcome = try await campaigns.take(
                [.submit], campaign.name.id, of: visit.app, seen: campaign.version, by: origin, reason: note)
            if case .changedMeanwhile(let other) = outcome {
                return try await page(try await saved(other, visit), visit, .conflict)
            }
            return route.route.pages.redirect(to: visit.path(campaign.name.id, "review") + "?done=sent")
        } catch let error as CampaignError {
            // At this point the draft is saved, even if it then cannot be sent to review.
            var state = try await saved(campaign, visit)
            state.note = note
            return try await refused(error, &state, visit)
        }
    }

    private func refused(_ error: CampaignError, _ state: inout EditorState, _ visit: CampaignVisit) async throws -> Response {
        switch error {
        case .faulty: break
        case .invalidReason: state.errors = FormErrors([("note", "\(error)".firstUppercased)])
        case .invalidID(let id):
            state.errors = FormErrors([
                (
                    "id",
                    id.isEmpty
                        ? "The name and the id are missing. Give a name."
                        : Campaign.isID(id)
                            ? "The console uses “\(id)” in its own addresses. Give the campaign another id."
                            : "“\(id)” is not an id. Give small letters, digits and hyphens, as in spring-winback."
                )
            ])
        default: state.errors = FormErrors([("name", "\(error)".firstUppercased)])
        }
        return try await page(state, visit, .unprocessableContent)
    }

    /// Merges the user's version with the other user's, and shows the result for the user to check and save.
    private func merge(_ json: JSONValue, _ state: inout EditorState, _ visit: CampaignVisit) async throws -> Response {
        guard let now = state.campaign, let theirs = now.text else { return try await page(state, visit) }
        let merged = CampaignMerge.json(base: said(state.base, visit), theirs: said(theirs.json, visit), mine: said(json, visit))
        state.form = CampaignForm(merged, in: visit.zone)
        state.base = theirs.json
        state.seen = now.version
        state.isMerged = true
        state.locks = CampaignLocks(now, merged, at: visit.now)
        return try await page(state, visit)
    }

    private func returnToDraft(_ campaign: ManagedCampaign, _ body: FormBody, _ origin: Origin, _ visit: CampaignVisit)
        async throws
        -> Response
    {
        guard let draft = campaign.draft else { return route.route.pages.redirect(to: visit.path(campaign.name.id, "rule")) }
        let outcome = try await campaigns.save(
            campaign.name.id, draft.text, of: visit.app, seen: body.seen, by: origin, reason: draft.submitted?.reason ?? "")
        let isDone = if case .done = outcome { true } else { false }
        return route.route.pages.redirect(to: visit.path(campaign.name.id, "rule") + (isDone ? "?done=back" : ""))
    }

    private func page(_ state: EditorState, _ visit: CampaignVisit, _ status: HTTPResponse.Status = .ok) async throws -> Response
    {
        let others = try await campaigns.all(of: visit.app).filter { $0.name != state.campaign?.name }
        let isApproved = state.campaign.map { $0.draft == nil || $0.draft?.phase == .approved } ?? false
        let approvers =
            if isApproved { "" } else if let campaign = state.campaign {
                CampaignRoute.words(
                    try await campaigns.approvers(of: campaign, in: visit.app).filter { $0.id != visit.caller.id })
            } else {
                CampaignRoute.words(
                    try await campaigns.accessKeys(with: .campaignApprovals, in: visit.app).filter { $0.id != visit.caller.id })
            }
        var notes: CampaignNotesView?
        if let campaign = state.campaign {
            let isOpen = EditorClosedView(state, visit) == nil
            notes = try await route.notes(campaign, at: .rule, unsaved: isOpen ? state.newNote : nil, visit)
        }
        let view = EditorView(
            state: state, visit: visit, others: others,
            segments: try await campaigns.segments.list(of: visit.app.bundleID).map(\.segment), approvers: approvers,
            writers: try await route.people(.campaignDrafts, visit), notes: notes)
        let title = state.campaign.map { "\($0.title): rule" } ?? "New campaign"
        var response = route.route.pages.page(
            view, title: title, at: .campaigns, in: visit.app.bundleID, for: visit.visitor, status: status)
        // A page that the user edits must not reload itself.
        if state.reach.isCounting, view.isClosed { response.headers[HTTPField.Name("Refresh")!] = "1" }
        return response
    }
}
