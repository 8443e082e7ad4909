import HTTPTypes
import Hummingbird
import OfferService

/// The confirmation before a campaign ends, a draft is discarded, or an earlier revision returns.
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

    private static let maxNote = 500

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
        let note = String(form["note"].unicodeScalars.prefix(Self.maxNote))
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
        let (id, name) = (campaign.name.id, CampaignHead.name(campaign))
        let back = visit.path(id, question == .rollback ? "history" : question == .end ? "review" : "rule")
        var values: [String: Any] = [
            "listPath": visit.path, "back": back, "name": name, "seen": "\(campaign.version)", "note": note,
            "action": visit.path(id, question.rawValue) + (question == .rollback ? "?to=\(PercentEncoding.encoded(number))" : ""),
            "error": error ?? false as Any, "isDanger": question != .rollback, "hasChanges": false, "changes": [[String: Any]](),
        ]
        switch question {
        case .end:
            values.merge(
                words(
                    "End “\(name)”?", "No customer gets it any more. To stop for a while, pause it.", "End the campaign",
                    "Keep it",
                    [
                        (
                            "bad", "At once: no customer gets it any more",
                            "This cannot be undone. A new campaign can begin from its text."
                        ),
                        (
                            "good", "What was signed stays valid",
                            "Offers that customers have already got can be redeemed for 24 hours."
                        ),
                        ("good", "Its results stay", "Nothing that was counted is lost."),
                    ])
            ) { $1 }
        case .discard:
            values.merge(
                words(
                    "Discard the draft of “\(name)”?",
                    campaign.published == nil
                        ? "It was never published, so the campaign leaves the list. The audit log keeps what was done."
                        : "What is published stays as it is.", "Discard the draft", "Keep it",
                    [("bad", "What is written in the draft is gone", "This cannot be undone.")])
            ) { $1 }
        case .rollback:
            let earlier = try await campaigns.revision(Int(number) ?? 0, of: id, visit.app)
            let rows = ChangeWords(visit: visit).rows(from: campaign.published?.text, to: earlier.text)
            values["changes"] = rows
            values["hasChanges"] = !rows.isEmpty
            let next = (campaign.published?.number ?? 0) + 1
            values.merge(
                words(
                    "Roll back to revision \(earlier.number)?",
                    "A copy of it is published as revision \(next). It was approved once, so it needs no other approval.",
                    "Publish revision \(earlier.number) again", "Keep the current one",
                    [
                        (
                            "warn", "At once: customers get revision \(earlier.number) again",
                            "Customers who have seen one variant may get another one."
                        ),
                        ("info", "A draft stays", "Put it on top of revision \(next) before you publish it."),
                    ])
            ) { $1 }
        }
        return route.route.pages.page(
            .campaignConfirm, values, title: values["title"] as? String ?? "", at: .campaigns, in: visit.app.bundleID,
            for: visit.visitor, status: error == nil ? .ok : .unprocessableContent)
    }

    private func words(
        _ title: String,
        _ sub: String,
        _ button: String,
        _ cancel: String,
        _ marks: [(tone: String, heading: String, text: String)]
    ) -> [String: Any] {
        [
            "title": title, "sub": sub, "button": button, "cancel": cancel,
            "marks": marks.map { ["tone": $0.tone, "heading": $0.heading, "text": $0.text] },
        ]
    }
}
