import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// The changes of a draft, and the people who may approve it.
struct CampaignReviewPage: Sendable {
    private static let maxNote = 500
    private static let maxRevisions = 50
    private static let done = [
        "sent": (tone: "good", text: "The draft is in review now. Another person must approve it."),
        "approve": (tone: "good", text: "The draft is approved. Customers get it once it is published."),
        "publish": (tone: "good", text: "Published. Customers get it from now on, or from its start."),
        "reject": (tone: "good", text: "The draft is sent back, with your note."),
        "rollback": (tone: "good", text: "The earlier revision is published again, under a new number."),
        "meanwhile": (tone: "warn", text: "Nothing was changed: another person was faster. This is how the campaign is now."),
    ]

    let route: CampaignRoute

    private var campaigns: CampaignAdministration { route.campaigns }

    var routes: [OperationRoute] {
        [
            route.get("/campaigns/{id}/review") { request, visit in
                let query = try request.query(["base", "done"])
                return try await page(
                    try await route.campaign(request, visit), DecisionInput(done: query["done"].flatMap { Self.done[$0] }), visit,
                    base: query["base"].flatMap { Int($0) })
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
        let note = String(form["note"].unicodeScalars.prefix(Self.maxNote))
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

    /// Rebases the draft's changes onto the revision that was published since.
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

    private func page(_ campaign: ManagedCampaign, _ input: DecisionInput, _ visit: CampaignVisit, base: Int? = nil) async throws
        -> Response
    {
        let findings = try await campaigns.findings(campaign)
        let form = CampaignForm(campaign.text?.json ?? .object([]), in: visit.zone)
        let approvers = try await campaigns.approvers(of: campaign, in: visit.app)
        let names = CampaignRoute.words(approvers.filter { $0.id != visit.caller.id })
        let isApprover = approvers.contains { $0.id == visit.caller.id }
        let others = !isApprover ? names : approvers.count == 1 ? "you" : "you, or \(names)"
        let isDecided = campaign.draft == nil || campaign.draft?.phase == .approved
        let errors = errors(input.errors, form, campaign, visit)
        var values: [String: Any] = [
            "readBack": campaign.text?.campaign.map { CampaignReadBack(campaign: $0, visit: visit).values } ?? false,
            "readBackNote": campaign.draft == nil ? "as published" : "read back from the saved draft",
            "noReadBack": "The draft cannot be read back yet: it has faults. Open the rule to correct them.",
            "action": visit.path(campaign.name.id, "review"), "hasErrors": !errors.isEmpty, "errors": errors,
            "errorTitle": "It cannot be published as it is", "lost": lost(campaign, input, visit),
            "decision": try await decision(campaign, input, findings, approvers, visit),
            "running": try await running(campaign, visit),
        ]
        values.merge(CampaignHead(visit: visit, campaign: campaign, part: .review).values(done: input.done)) { $1 }
        values.merge(
            LaunchChecks(
                campaign: campaign.text?.campaign, findings: findings, words: FindingWords(form: form, zone: visit.zone),
                visit: visit,
                approvers: isDecided ? "" : others
            ).values(title: "Checked by the service")
        ) { $1 }
        values.merge(try await changes(campaign, base, visit)) { $1 }
        let notes = notes(campaign, visit)
        values["notes"] = notes
        values["hasNotes"] = !notes.isEmpty
        return route.route.pages.page(
            .campaignReview, values, title: "\(CampaignHead.name(campaign)): review", at: .campaigns, in: visit.app.bundleID,
            for: visit.visitor, status: input.isRefused ? .unprocessableContent : .ok)
    }

    private func errors(_ findings: [CampaignFinding], _ form: CampaignForm, _ campaign: ManagedCampaign, _ visit: CampaignVisit)
        -> [[String: Any]]
    {
        let path = visit.path(campaign.name.id, "rule")
        return FormErrors(findings, in: form, visit.zone).once.map {
            ["href": visit.may(.campaignDrafts) ? "\(path)#\($0.id)" : false as Any, "text": $0.text]
        }
    }

    private func lost(_ campaign: ManagedCampaign, _ input: DecisionInput, _ visit: CampaignVisit) -> Any {
        let latest = campaign.published?.number ?? 0
        guard let draft = campaign.draft, draft.basedOn < latest else {
            return input.lost.map { ["title": $0.title, "text": $0.text, "merge": false] as [String: Any] } ?? false
        }
        let history = visit.path(campaign.name.id, "history")
        let merge: [String: Any] = [
            "action": visit.path(campaign.name.id, "submit"), "seen": "\(campaign.version)",
            "compare": "\(history)?from=\(draft.basedOn)&to=\(latest)", "compareLabel": "See what revision \(latest) changed",
            "mergeLabel": "Put the draft's changes on top of revision \(latest)",
        ]
        return [
            "title": "Revision \(latest) was published meanwhile",
            "text":
                "The draft was made from revision \(draft.basedOn), so it cannot be published any more. Nothing is lost: the draft is kept.",
            "merge": visit.may(.campaignDrafts) ? merge : false as Any,
        ] as [String: Any]
    }

    private func changes(_ campaign: ManagedCampaign, _ base: Int?, _ visit: CampaignVisit) async throws -> [String: Any] {
        guard let draft = campaign.draft else {
            return [
                "diffTitle": "What changes", "bases": false, "hasChanges": false, "changes": [[String: Any]](),
                "noChanges": "There is no draft: nothing waits to be published. Change the rule to make one.",
            ]
        }
        let number = base ?? draft.basedOn
        let old = number > 0 ? try await campaigns.revision(number, of: campaign.name.id, visit.app).text : nil
        // A first version has nothing to compare with; it is read back above.
        let rows = old == nil ? [] : ChangeWords(visit: visit).rows(from: old, to: draft.text)
        let latest = campaign.published?.number ?? 0
        let choices = stride(from: latest, through: max(1, latest - Self.maxRevisions), by: -1).map { each -> [String: Any] in
            ["id": "\(each)", "label": "revision \(each)\(each == latest ? ", published" : "")", "isChosen": each == number]
        }
        return [
            "diffTitle": number > 0 ? "What changes, from revision \(number) to the draft" : "What is new",
            "hasChanges": !rows.isEmpty,
            "changes": rows,
            "noChanges": number > 0
                ? "The draft says the same as revision \(number)."
                : "Nothing was published before: all of the rule above is new.",
            "bases": latest > 0 ? ["all": choices] as [String: Any] : false as Any,
        ]
    }

    private func notes(_ campaign: ManagedCampaign, _ visit: CampaignVisit) -> [[String: Any]] {
        let acts = [
            (campaign.draft?.submitted, "idle"), (campaign.draft?.ruled, campaign.draft?.phase == .rejected ? "warn" : "good"),
            (campaign.draft == nil ? campaign.published?.approved : nil, "good"),
        ]
        return acts.compactMap { act, tone in
            guard let act, !act.reason.isEmpty else { return nil }
            return ["who": visit.attribution(act), "text": act.reason, "tone": tone]
        }
    }
}
