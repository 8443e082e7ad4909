import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// The page on which a draft is reviewed.
///
/// The page shows what the draft changes, and who may approve it.
struct CampaignReviewPage: Sendable {
    private static let done = [
        "sent": NoticeView(tone: "good", text: "The draft is in review now. Another person must approve it."),
        "approve": NoticeView(tone: "good", text: "The draft is approved. Customers get it once it is published."),
        "publish": NoticeView(tone: "good", text: "Published. Customers get it from now on, or from its start."),
        "reject": NoticeView(tone: "good", text: "The draft is sent back, with your note."),
        "rollback": NoticeView(tone: "good", text: "The earlier revision is published again, under a new number."),
        "meanwhile": NoticeView(
            tone: "warn", text: "Nothing was changed: another person was faster. This is how the campaign is now."),
    ]

    let route: CampaignRoute
    let reach: ReachPanel

    private var campaigns: CampaignAdministration { route.campaigns }

    var routes: [OperationRoute] {
        [
            route.get("/campaigns/{id}/review") { request, visit in
                let query = try request.query(["base", "done", "reach"])
                return try await page(
                    try await route.campaign(request, visit), DecisionInput(done: query["done"].flatMap { Self.done[$0] }), visit,
                    base: query["base"].flatMap { Int($0) }, counts: query["reach"] != nil)
            },
            route.post("/campaigns/{id}/review", .campaignApprovals) { request, visit, form in
                try await decide(form, try await route.campaign(request, visit), visit, request.origin)
            },
            route.post("/campaigns/{id}/publish", .campaignRuns) { request, visit, form in
                try await take([.publish], "publish", form, try await route.campaign(request, visit), visit, request.origin)
            },
            route.post("/campaigns/{id}/submit", .campaignDrafts) { request, visit, form in
                let campaign = try await route.campaign(request, visit)
                if form["op"] == "rebase" { return try await rebase(campaign, form, visit, request.origin) }
                return try await take([.submit], "sent", form, campaign, visit, request.origin)
            },
        ]
    }

    private func decide(_ form: FormBody, _ campaign: ManagedCampaign, _ visit: CampaignVisit, _ origin: Origin) async throws
        -> Response
    {
        switch form["op"] {
        case "publish": return try await take([.approve, .publish], "publish", form, campaign, visit, origin)
        case "approve": return try await take([.approve], "approve", form, campaign, visit, origin)
        default:
            guard !form["note"].trimmed.isEmpty else {
                let input = DecisionInput(noteError: "A note is missing. Say what has to change before the draft goes back.")
                return try await page(campaign, input, visit)
            }
            return try await take([.reject], "reject", form, campaign, visit, origin)
        }
    }

    private func take(
        _ steps: [CampaignStep],
        _ word: String,
        _ form: FormBody,
        _ campaign: ManagedCampaign,
        _ visit: CampaignVisit,
        _ origin: Origin
    ) async throws -> Response {
        let note = form["note"]
        var input = DecisionInput(note: note)
        do {
            let outcome = try await campaigns.take(
                steps, campaign.name.id, of: visit.app, seen: form.seen, by: origin, reason: note)
            switch outcome {
            case .done: return route.route.pages.redirect(to: visit.path(campaign.name.id, "review") + "?done=\(word)")
            case .changedMeanwhile(let now):
                let last = now.lastChange
                input.lost = (
                    "\(visit.name(last.act.by)) \(last.words) while you were reading",
                    "Your change was not made. This is how the campaign is now; your note is kept below."
                )
                return try await page(now, input, visit)
            }
        } catch CampaignError.faulty(let findings) {
            input.errors = findings
        } catch let error as CampaignError {
            input.lost = ("Nothing was changed", "\(error)".firstUppercased)
        }
        return try await page(try await campaigns.campaign(campaign.name.id, of: visit.app), input, visit)
    }

    /// Applies the draft's changes to the revision that was published since the draft was begun.
    private func rebase(_ campaign: ManagedCampaign, _ form: FormBody, _ visit: CampaignVisit, _ origin: Origin) async throws
        -> Response
    {
        guard let draft = campaign.draft, let published = campaign.published, let mine = draft.text.campaign else {
            return route.route.pages.redirect(to: visit.path(campaign.name.id, "rule"))
        }
        let base =
            draft.basedOn > 0
            ? try await campaigns.revision(draft.basedOn, of: campaign.name.id, visit.app).text.json : .object([])
        let merged = CampaignMerge.json(base: base, theirs: published.text.json, mine: mine.json)
        let outcome = try await campaigns.save(
            campaign.name.id, CampaignText(json: merged), basedOn: published.number, of: visit.app, seen: form.seen, by: origin,
            reason: draft.saved.reason)
        let isDone = if case .done = outcome { true } else { false }
        return route.route.pages.redirect(to: visit.path(campaign.name.id, "rule") + (isDone ? "?done=rebased" : ""))
    }

    private func page(
        _ campaign: ManagedCampaign,
        _ input: DecisionInput,
        _ visit: CampaignVisit,
        base: Int? = nil,
        counts: Bool = false
    ) async throws -> Response {
        let json = campaign.text?.json ?? .object([])
        let found = counts ? try await reach.count(json, CampaignForm(json, in: visit.zone), visit) : .nothing
        let approvers = try await campaigns.approvers(of: campaign, in: visit.app)
        let number = base ?? campaign.draft?.basedOn ?? 0
        let old =
            campaign.draft != nil && number > 0
            ? try await campaigns.revision(number, of: campaign.name.id, visit.app).text : nil
        let view = CampaignReviewView(
            campaign, input,
            CampaignReviewView.Checks(findings: try await campaigns.findings(campaign), approvers: approvers),
            try await route.notes(campaign, at: .review, visit),
            diff: ReviewDiffView(campaign, from: number, old, visit), reach: found,
            CampaignReviewView.Actions(
                decision: try await decision(campaign, input, approvers, visit), running: try await running(campaign, visit)),
            visit)
        var response = route.route.pages.page(
            view, title: "\(campaign.title): review", at: .campaigns, in: visit.app.bundleID, for: visit.visitor,
            status: input.isRefused ? .unprocessableContent : .ok)
        if found.isCounting { response.headers[HTTPField.Name("Refresh")!] = "1" }
        return response
    }
}

/// A user's decision about a draft and, if it could not be carried out, the reason.
struct DecisionInput {
    var note = ""
    /// The error to show beside the note; nil if the note has none.
    var noteError: String?
    /// The findings that keep the draft from being published.
    var errors: [CampaignFinding] = []
    /// The notice that another user has changed the campaign first; nil if that is not so.
    var lost: (title: String, text: String)?
    /// The notice about the result of the reader's last action; nil if there was none.
    var done: NoticeView?

    var isRefused: Bool { noteError != nil || !errors.isEmpty || lost != nil }
}
