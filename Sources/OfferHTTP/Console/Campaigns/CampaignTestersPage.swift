import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// The page about a campaign's testers, who try the campaign with sandbox purchases, and about the variants that they got.
struct CampaignTestersPage: Sendable {
    private static let done = [
        "added": NoticeView(tone: "good", text: "Added. Within a second they get the variant in the sandbox."),
        "removed": NoticeView(tone: "good", text: "Taken out. From now on they are treated like every other customer."),
        "meanwhile": NoticeView(
            tone: "warn", text: "Nothing was changed: another person has changed the testers meanwhile. This is how they are now."
        ),
    ]

    let route: CampaignRoute

    private var campaigns: CampaignAdministration { route.campaigns }

    var routes: [OperationRoute] {
        [
            route.get("/campaigns/{id}/testers") { request, visit in
                let query = try request.query(["done"])
                return try await page(
                    try await route.campaign(request, visit), visit, done: query["done"].flatMap { Self.done[$0] })
            },
            route.post("/campaigns/{id}/testers", .campaignDrafts) { request, visit, form in
                let campaign = try await route.campaign(request, visit)
                if let place = Int(form["remove"]) { return try await remove(place, campaign, form, visit, request.origin) }
                return try await add(campaign, form, visit, request.origin)
            },
        ]
    }

    private func add(_ campaign: ManagedCampaign, _ form: FormBody, _ visit: CampaignVisit, _ origin: Origin) async throws
        -> Response
    {
        let input = TesterInput(
            kind: BucketingUnit(rawValue: form["kind"]) ?? .customer, id: form["tester"].trimmed, variant: form["variant"],
            note: form["note"].trimmed)
        let tester = CampaignTester(kind: input.kind, id: input.id, variant: input.variant, note: input.note)
        do {
            return try await set(campaign.testers + [tester], "added", campaign, form, visit, origin)
        } catch CampaignError.invalidTesters(let faults) {
            return try await page(campaign, visit, input, faults)
        }
    }

    private func remove(
        _ place: Int,
        _ campaign: ManagedCampaign,
        _ form: FormBody,
        _ visit: CampaignVisit,
        _ origin: Origin
    ) async throws -> Response {
        // Another user may have changed the list meanwhile.
        guard campaign.testers.indices.contains(place) else {
            return route.route.pages.redirect(to: visit.path(campaign.name.id, "testers") + "?done=meanwhile")
        }
        var testers = campaign.testers
        testers.remove(at: place)
        do {
            return try await set(testers, "removed", campaign, form, visit, origin)
        } catch CampaignError.invalidTesters(let faults) {
            return try await page(campaign, visit, TesterInput(), faults)
        }
    }

    private func set(
        _ testers: [CampaignTester],
        _ word: String,
        _ campaign: ManagedCampaign,
        _ form: FormBody,
        _ visit: CampaignVisit,
        _ origin: Origin
    ) async throws -> Response {
        let outcome = try await campaigns.setTesters(
            testers, of: campaign.name.id, visit.app, seen: form.seen ?? 0, by: origin)
        let isDone = if case .done = outcome { true } else { false }
        return route.route.pages.redirect(
            to: visit.path(campaign.name.id, "testers") + "?done=\(isDone ? word : "meanwhile")")
    }

    private func page(
        _ campaign: ManagedCampaign,
        _ visit: CampaignVisit,
        _ input: TesterInput = TesterInput(),
        _ faults: [FieldFault] = [],
        done: NoticeView? = nil
    ) async throws -> Response {
        let whoAdds =
            visit.may(.campaignDrafts) ? nil : "These can change it: \(try await route.people(.campaignDrafts, visit))."
        let view = CampaignTestersView(
            campaign, input, faults, counts: try await campaigns.rehearsals(of: campaign), whoAdds: whoAdds, done: done, visit)
        return route.route.pages.page(
            view, title: "\(campaign.title): testers", at: .campaigns, in: visit.app.bundleID, for: visit.visitor,
            status: faults.isEmpty ? .ok : .unprocessableContent)
    }
}

/// What a user has typed about a tester to add.
struct TesterInput {
    var kind = BucketingUnit.customer
    var id = ""
    var variant = ""
    var note = ""

    /// Returns a fault of the list of testers in the words of the form, with the input that it is about.
    func error(_ fault: FieldFault, of campaign: ManagedCampaign) -> ErrorView {
        guard fault.name != "testers" else {
            return ErrorView(id: "tester", text: "There are too many testers. Take out those who are done.")
        }
        if !fault.name.hasPrefix("testers[\(campaign.testers.count)]") {
            return ErrorView(
                id: "tester",
                text: "A tester who is there already keeps the list from being saved: \(fault.name) \(fault.reason).")
        }
        switch fault.name.split(separator: ".").last {
        case "note": return ErrorView(id: "note", text: "The note \(fault.reason).")
        case "variant": return ErrorView(id: "variant", text: "There is no such variant any more. Choose another one.")
        default:
            return ErrorView(
                id: "tester",
                text: campaign.testers.contains { $0.kind == kind && ExactText($0.id) == ExactText(id) }
                    ? "This tester is in the list already. Take them out first to give them another variant."
                    : "The id is missing or too long. Give the id by which the service knows them.")
        }
    }
}
