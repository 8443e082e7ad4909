import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// The page that gives the winner of a test to all customers. It writes the draft of a new campaign, which is reviewed as usual.
struct WinnerPage: Sendable {
    /// How many ids are tried for the new campaign. The first may fail, because another user can take an id at the same moment.
    private static let maxAttempts = 8

    let route: CampaignRoute
    let desk: CampaignResultsDesk

    var routes: [OperationRoute] {
        [
            route.get("/campaigns/{id}/winner", .campaignDrafts) { request, visit in
                _ = try request.query([])
                let campaign = try await route.campaign(request, visit)
                guard let (winner, caution) = try await winner(of: campaign, visit) else { return back(campaign, visit) }
                return page(winner, caution, campaign, visit)
            },
            route.post("/campaigns/{id}/winner", .campaignDrafts) { request, visit, form in
                let campaign = try await route.campaign(request, visit)
                guard let (winner, _) = try await winner(of: campaign, visit) else { return back(campaign, visit) }
                let note = form["note"]
                return try await make(winner, campaign, visit, note: note, request.origin)
            },
        ]
    }

    private func back(_ campaign: ManagedCampaign, _ visit: CampaignVisit) -> Response {
        route.route.pages.redirect(to: visit.path(campaign.name.id, "results"))
    }

    /// Returns the winning variant, and what speaks against it; nil if there is no winner, or if it is the control.
    private func winner(
        of campaign: ManagedCampaign, _ visit: CampaignVisit
    ) async throws -> (CampaignVariant, caution: String?)? {
        guard campaign.published != nil, case .counted(let report, _) = try await desk.results(of: campaign.name.id, visit.app)
        else { return nil }
        return report.winner.flatMap { $0.isControl ? nil : ($0, report.results.verdict.caution) }
    }

    private func make(
        _ winner: CampaignVariant,
        _ campaign: ManagedCampaign,
        _ visit: CampaignVisit,
        note: String,
        _ origin: Origin
    ) async throws -> Response {
        var taken = Set(try await route.campaigns.all(of: visit.app).map(\.name.id))
        for _ in 0..<Self.maxAttempts {
            guard let published = campaign.published?.text.json,
                let json = WinnerDraft.json(published, winner: winner.id, taken: taken, at: visit.now)
            else { break }
            let id = FormValue.shown(json.member("id"))
            let reason = "gives \(winner.id) of \(campaign.name.id) to all" + (note.isEmpty ? "" : ": \(note)")
            switch try await route.campaigns.create(id, CampaignText(json: json), of: visit.app, by: origin, reason: reason) {
            case .done(let made): return route.route.pages.redirect(to: visit.path(made.name.id, "rule") + "?done=winner")
            case .changedMeanwhile(let other): taken.insert(other.name.id)
            }
        }
        return back(campaign, visit)
    }

    private func page(
        _ winner: CampaignVariant,
        _ caution: String?,
        _ campaign: ManagedCampaign,
        _ visit: CampaignVisit
    ) -> Response {
        let disagreement = caution.map { MarkView(tone: "warn", heading: "Conversion and money disagree", text: $0) }
        let name = campaign.title
        let title = "Give \(winner.label) to all?"
        let view = CampaignConfirmView(
            listPath: visit.path, back: visit.path(campaign.name.id, "results"), name: name, title: title,
            sub: "It \(campaign.state == .ended ? "won" : "has won") in “\(name)”.", error: nil,
            action: visit.path(campaign.name.id, "winner"),
            seen: "\(campaign.version)", marks: [disagreement].compactMap(\.self) + marks(winner, campaign, visit),
            hasChanges: false, changes: [], note: "",
            isDanger: false, button: "Write the draft", cancel: "Not now")
        return route.route.pages.page(view, title: title, at: .campaigns, in: visit.app.bundleID, for: visit.visitor)
    }

    /// Returns the consequences of giving the winner to all customers.
    private func marks(_ winner: CampaignVariant, _ campaign: ManagedCampaign, _ visit: CampaignVisit)
        -> [MarkView]
    {
        let name = campaign.title
        let words = OfferWords(catalogue: visit.app.catalogue, for: campaign.published?.text.campaign)
        let offers = words.texts(winner).joined(separator: "; ")
        let meanwhile =
            campaign.published?.text.campaign?.slot.exclusionGroup == nil
            ? "Until then customers can get offers of both."
            : "Until then its customers stay in it, and all others get the new one: no customer is in two campaigns of a group."
        return [
            MarkView(
                tone: "info", heading: "A new campaign is written, with \(winner.label) for 100\u{a0}%",
                text:
                    "\(offers). It has the same customers, place and limits. The limits count anew: customers who had it in the test can get it again. All of them are let in, and none is held out. It begins when it is published."
            ),
            MarkView(
                tone: "good", heading: "Nothing is published yet",
                text: "You look through the draft and send it to review. Another person approves it."),
            campaign.state == .ended
                ? MarkView(
                    tone: "good", heading: "“\(name)” has ended", text: "Its results stay as they are.")
                : MarkView(
                    tone: "warn", heading: "“\(name)” stays as it is until you end it",
                    text:
                        "Its weights are locked: other weights would move customers who have seen a variant, and mix two tests in one result. End it once the new campaign is live. \(meanwhile)"
                ),
        ]
    }
}

extension ExperimentReport {
    /// The winning variant; nil if the verdict names none.
    var winner: CampaignVariant? {
        guard results.verdict.code == .winner, let id = results.verdict.variant else { return nil }
        return revisions.variants.first { $0.id == id }
    }
}

/// The text of a new campaign that gives the winner of a test to all customers of the test.
enum WinnerDraft {
    private static let maxID = 64

    /// Returns nil if the test has no such variant.
    ///
    /// - Parameters:
    ///   - json: the published text of the test.
    ///   - taken: the ids of other campaigns.
    static func json(_ json: JSONValue, winner: String, taken: Set<String>, at now: Instant) -> JSONValue? {
        guard case .array(let variants)? = json.member("variants"),
            let variant = variants.first(where: { FormValue.shown($0.member("id")) == winner })
        else { return nil }
        let priority = Int(FormValue.shown(json.member("priority"))) ?? 0
        return json.setting("id", .string(id(after: FormValue.shown(json.member("id")), taken)))
            .setting("name", .string("\(FormValue.shown(json.member("name"))): \(winner) for all"))
            .setting("variants", .array([variant.setting("weight", .integer(Bucket.count))]))
            .setting("enrolment", .integer(Bucket.count)).setting("holdout", nil)
            // The new campaign compares no variants, so it needs no analysis and no hypothesis.
            .setting("analysis", nil).setting("hypothesis", nil)
            // If both campaigns are in the same exclusion group, the new campaign takes precedence.
            .setting("priority", .integer(priority + 1)).setting("schedule", schedule(json, now))
    }

    /// Returns the next id that is free: `spring-winback-2` after `spring-winback`.
    private static func id(after id: String, _ taken: Set<String>) -> String {
        let parts = id.split(separator: "-")
        let base = parts.count > 1 && parts.last.flatMap { Int($0) } != nil ? parts.dropLast().joined(separator: "-") : id
        return (2...).lazy.map { number in
            let end = "-\(number)"
            return base.prefix(maxID - end.utf8.count) + end
        }.map(String.init).first { !taken.contains($0) && $0 != id }!
    }

    /// Returns a schedule without a start, so that the new campaign begins when it is published.
    ///
    /// The end is kept if it is in the future.
    private static func schedule(_ json: JSONValue, _ now: Instant) -> JSONValue? {
        guard let end = CampaignText(json: json).campaign?.schedule.until, end > now else { return nil }
        return .members(["until": json.member("schedule")?.member("until")])
    }
}
