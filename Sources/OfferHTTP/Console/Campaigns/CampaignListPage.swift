import EligibilityRules
import Hummingbird
import OfferService

/// The campaigns of an app: their states, and the people that they wait for.
struct CampaignListPage: Sendable {
    private static let done = [
        "pause": (tone: "good", text: "Paused: no customer gets it from now on. Every customer keeps their variant."),
        "resume": (tone: "good", text: "It counts again, for the same customers as before."),
        "end": (tone: "good", text: "The campaign has ended."),
        "discarded": (tone: "good", text: "The draft is gone."),
        "meanwhile": (
            tone: "warn", text: "Nothing was changed: another person has changed the campaign meanwhile. This is how it is now."
        ),
    ]

    let route: CampaignRoute

    var routes: [OperationRoute] {
        [
            route.get("/campaigns") { request, visit in
                let query = try request.query(["state", "done"])
                return try await page(
                    query["state"].flatMap(CampaignState.init), visit, done: query["done"].flatMap { Self.done[$0] })
            },
            route.post("/campaigns/{id}/state", .campaignRuns) { request, visit, form in
                let step: CampaignStep = form["op"] == "resume" ? .resume : .pause
                let outcome = try await route.campaigns.take(
                    [step], request.parameter("id"), of: visit.app, seen: form.seen, by: request.origin)
                let isDone = if case .done = outcome { true } else { false }
                return route.route.pages.redirect(to: "\(visit.path)?done=\(isDone ? step.rawValue : "meanwhile")")
            },
        ]
    }

    private func page(_ state: CampaignState?, _ visit: CampaignVisit, done: (tone: String, text: String)?) async throws
        -> Response
    {
        // A campaign whose only draft was discarded is left only in the log.
        let all = try await route.campaigns.all(of: visit.app).filter { $0.text != nil }.map {
            (campaign: $0, priority: $0.text?.campaign?.priority ?? 0)
        }
        .sorted { ($1.priority, $0.campaign.name.id) < ($0.priority, $1.campaign.name.id) }.map(\.campaign)
        let shown = all.filter { state == nil || $0.state == state }
        let mayWrite = visit.may(.campaignDrafts)
        let values: [String: Any] = [
            "app": visit.app.bundleID, "now": visit.time.at(visit.now), "path": visit.path, "mayWrite": mayWrite,
            "done": done.map { ["tone": $0.tone, "text": $0.text] as [String: Any] } ?? false, "hasAny": !all.isEmpty,
            "tabs": tabs(all, state, visit), "hasShown": !shown.isEmpty, "campaigns": shown.map { row($0, visit) },
            "stateWord": state.map { CampaignBadge.word($0).lowercased() } ?? "", "allCount": ConsoleTime.number(all.count),
            "examples": CampaignExamples.all.map { ["href": "\(visit.path)/new?example=\($0.0)", "label": $0.1] },
            "whoWrites": mayWrite ? "" : "These can write one: \(try await route.people(.campaignDrafts, visit)).",
            "catalogueHint": Self.catalogue(visit.app),
        ]
        return route.route.pages.page(
            .campaigns, values, title: "Campaigns", at: .campaigns, in: visit.app.bundleID, for: visit.visitor)
    }

    private func tabs(_ all: [ManagedCampaign], _ state: CampaignState?, _ visit: CampaignVisit) -> [[String: Any]] {
        let states = CampaignState.allCases.map { each in (each, all.count { $0.state == each }) }.filter {
            $0.1 > 0 || $0.0 == state
        }
        return [["href": visit.path, "label": "All", "count": ConsoleTime.number(all.count), "isCurrent": state == nil]]
            + states.map { each, count in
                [
                    "href": "\(visit.path)?state=\(each.rawValue)", "label": CampaignBadge.word(each),
                    "count": ConsoleTime.number(count), "isCurrent": each == state,
                ]
            }
    }

    private func row(_ campaign: ManagedCampaign, _ visit: CampaignVisit) -> [String: Any] {
        // Customers meet the published campaign, not the draft.
        let shown = (campaign.published?.text ?? campaign.text)?.campaign
        let last = campaign.lastChange
        let part =
            switch campaign.draft?.phase {
            case .inReview, .approved: "review"
            case .rejected: "rule"
            case nil, .some(.none), .writing: campaign.published == nil ? "rule" : "results"
            }
        return [
            "href": visit.path(campaign.name.id, part),
            "name": CampaignHead.name(campaign),
            "id": campaign.name.id, "badges": CampaignBadge.all(campaign),
            "split": shown.map { SplitBar($0.variants).values } ?? false, "priority": shown.map { "\($0.priority)" } ?? "–",
            "when": when(campaign, shown, visit), "changed": visit.time.at(last.act.at, withZone: false),
            "who": visit.name(last.act.by), "did": last.words, "step": step(campaign, visit),
        ]
    }

    private func when(_ campaign: ManagedCampaign, _ shown: Campaign?, _ visit: CampaignVisit) -> String {
        switch campaign.state {
        case .scheduled: shown?.schedule.from.map { "starts \(visit.time.live($0))" } ?? ""
        case .live: shown?.schedule.until.map { "ends \(visit.time.live($0))" } ?? "until it is ended"
        case .paused, .ended: "since \(visit.time.at(campaign.standingChange.at))"
        case .draft, .inReview: shown?.schedule.from.map { "starts \(visit.time.at($0))" } ?? "when it is published"
        }
    }

    private func step(_ campaign: ManagedCampaign, _ visit: CampaignVisit) -> Any {
        guard visit.may(.campaignRuns), campaign.state != .ended, let op = Self.step(campaign) else { return false }
        return [
            "action": visit.path(campaign.name.id, "state"), "seen": "\(campaign.version)", "op": op.rawValue,
            "label": op == .pause ? "Pause" : "Resume",
        ] as [String: Any]
    }

    /// Returns pause or resume, whichever is possible.
    static func step(_ campaign: ManagedCampaign) -> CampaignStep? {
        [.pause, .resume].first { campaign.position.after($0) != nil }
    }

    private static func catalogue(_ app: App) -> String {
        let offers = Set(app.catalogue.sorted.flatMap(\.promotionalOfferIDs)).sorted()
        let products = ConsoleTime.count(app.catalogue.sorted.count, "product")
        let named = offers.isEmpty ? "" : ": \(offers.joined(separator: ", "))"
        return
            "\(app.bundleID) has \(products) and \(ConsoleTime.count(offers.count, "offer")) in its catalogue\(named). New offers are made in App Store Connect and added by your developer."
    }
}
