import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService

/// The pages on which a user confirms that a campaign ends, that a draft is discarded, or that an earlier revision is published
/// again.
struct CampaignConfirmPages: Sendable {
    private enum Question: String, CaseIterable {
        case end, discard, rollback

        var permission: Permission {
            switch self {
            case .end: .campaignRuns
            case .discard: .campaignDrafts
            case .rollback: .campaignApprovals
            }
        }
    }

    let route: CampaignRoute

    private var campaigns: CampaignAdministration { route.campaigns }

    var routes: [OperationRoute] {
        Question.allCases.flatMap { question in
            [
                route.get("/campaigns/{id}/\(question.rawValue)", question.permission) { request, visit in
                    let query = try request.query(["to"])
                    return try await page(question, try await route.campaign(request, visit), to: query["to"] ?? "", visit)
                },
                route.post("/campaigns/{id}/\(question.rawValue)", question.permission) { request, visit, form in
                    let query = try request.query(["to"])
                    return try await answer(
                        question, try await route.campaign(request, visit), to: query["to"] ?? "", form, visit, request.origin)
                },
            ]
        }
    }

    private func answer(
        _ question: Question,
        _ campaign: ManagedCampaign,
        to number: String,
        _ form: FormBody,
        _ visit: CampaignVisit,
        _ origin: Origin
    ) async throws -> Response {
        let note = form["note"]
        let id = campaign.name.id
        do {
            let outcome =
                switch question {
                case .end: try await campaigns.take([.end], id, of: visit.app, seen: form.seen, by: origin, reason: note)
                case .discard: try await campaigns.take([.discard], id, of: visit.app, seen: form.seen, by: origin, reason: note)
                case .rollback:
                    try await campaigns.rollBack(
                        id, to: Int(number) ?? 0, of: visit.app, seen: form.seen, by: origin, reason: note)
                }
            switch (outcome, question) {
            case (.done, .end): return route.route.pages.redirect(to: "\(visit.path)?done=end")
            case (.done(let now), .discard):
                let next = now.text == nil ? visit.path : visit.path(id, "rule")
                return route.route.pages.redirect(to: next + "?done=discarded")
            case (.done, .rollback): return route.route.pages.redirect(to: visit.path(id, "review") + "?done=rollback")
            case (.changedMeanwhile(let now), _):
                let last = now.lastChange
                return try await page(
                    question, now, to: number, visit, note: note,
                    error:
                        "\(visit.name(last.act.by)) \(last.words) meanwhile. Look at the campaign as it is now, then confirm again."
                )
            }
        } catch let error as CampaignError {
            return try await page(question, campaign, to: number, visit, note: note, error: "\(error)".firstUppercased)
        }
    }

    private func page(
        _ question: Question,
        _ campaign: ManagedCampaign,
        to number: String,
        _ visit: CampaignVisit,
        note: String = "",
        error: String? = nil
    ) async throws -> Response {
        let id = campaign.name.id
        let words = try await words(question, campaign, to: number, visit)
        let view = CampaignConfirmView(
            listPath: visit.path,
            back: visit.path(id, question == .rollback ? "history" : question == .end ? "review" : "rule"),
            name: campaign.title, title: words.title, sub: words.sub, error: error,
            action: visit.path(id, question.rawValue)
                + (question == .rollback ? "?to=\(PercentEncoding.encoded(number))" : ""),
            seen: "\(campaign.version)", marks: words.marks, hasChanges: !words.changes.isEmpty, changes: words.changes,
            note: note, isDanger: question != .rollback, button: words.button, cancel: words.cancel)
        return route.route.pages.page(
            view, title: words.title, at: .campaigns, in: visit.app.bundleID, for: visit.visitor,
            status: error == nil ? .ok : .unprocessableContent)
    }

    private func words(_ question: Question, _ campaign: ManagedCampaign, to number: String, _ visit: CampaignVisit) async throws
        -> ConfirmWords
    {
        let name = campaign.title
        switch question {
        case .end: return .end(name)
        case .discard: return .discard(name, isPublished: campaign.published != nil)
        case .rollback:
            let earlier = try await campaigns.revision(Int(number) ?? 0, of: campaign.name.id, visit.app)
            let changes = ChangeWords(visit: visit).rows(from: campaign.published?.text, to: earlier.text)
            return .rollBack(to: earlier.number, as: (campaign.published?.number ?? 0) + 1, changes)
        }
    }
}

/// The page that asks a user to confirm a step which cannot be undone, and shows its consequences.
struct CampaignConfirmView: PageView {
    static let template = "campaign-confirm"

    let listPath: String
    /// The address of the page to which the user returns without taking the step.
    let back: String
    let name: String
    let title: String
    let sub: String
    /// Why the step could not be taken; nil as long as the user has not tried.
    let error: String?
    let action: String
    /// The version of the campaign that the reader has seen.
    let seen: String
    /// The consequences of the step.
    let marks: [MarkView]
    let hasChanges: Bool
    let changes: [ChangeView]
    /// The reason that the user has typed.
    let note: String
    let isDanger: Bool
    let button: String
    /// The label of the link that leads back without the step.
    let cancel: String
}
