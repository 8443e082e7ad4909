import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// The testers, who try a campaign with sandbox purchases, and what they have met.
struct CampaignTestersPage: Sendable {
    /// A tester to add, as typed.
    private struct TesterInput {
        var kind = BucketingUnit.customer
        var id = ""
        var variant = ""
        var note = ""
    }

    private static let done = [
        "added": (tone: "good", text: "Added. Within a second they get the variant in the sandbox."),
        "removed": (tone: "good", text: "Taken out. From now on they are treated like every other customer."),
        "meanwhile": (
            tone: "warn", text: "Nothing was changed: another person has changed the testers meanwhile. This is how they are now."
        ),
    ]
    private static let kinds: [(id: String, label: String)] = BucketingUnit.allCases.map { ($0.rawValue, word($0)) }

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
        done: (tone: String, text: String)? = nil
    ) async throws -> Response {
        let counts = try await campaigns.rehearsals(of: campaign)
        let variants = campaign.text?.campaign?.variants.map(\.id) ?? []
        let errors = faults.map { Self.error($0, input, of: campaign) }
        let error = { (field: String) -> Any in errors.first { $0.field == field }?.text ?? false }
        var values: [String: Any] = [
            "action": visit.path(campaign.name.id, "testers"), "seen": "\(campaign.version)",
            "hasErrors": !errors.isEmpty, "errors": errors.map { ["field": $0.field, "text": $0.text] },
            "testerError": error("tester"), "variantError": error("variant"), "noteError": error("note"),
            "isProductionOnly": visit.app.policy.environment == .production && visit.app.sandbox == nil && visit.app.xcode == nil,
            "hasTesters": !campaign.testers.isEmpty,
            "testers": campaign.testers.enumerated().map { row($0, $1, variants, visit) },
            "count": ConsoleTime.count(campaign.testers.count, "tester"),
            "hasCounts": !counts.isEmpty,
            "counts": counts.map {
                [
                    "variant": $0.variant, "exposed": ConsoleTime.number($0.exposed), "signed": ConsoleTime.number($0.signed),
                ]
            },
            "mayAdd": visit.may(.campaignDrafts) && !campaign.position.isEnded, "isEnded": campaign.position.isEnded,
            "tester": input.id, "note": input.note,
            "kinds": Self.kinds.map {
                ["id": $0.id, "label": $0.label, "isChosen": $0.id == input.kind.rawValue] as [String: Any]
            },
            "variants": variants.map { ["id": $0, "isChosen": $0 == input.variant] as [String: Any] },
            "whoAdds": visit.may(.campaignDrafts)
                ? false as Any : "These can change it: \(try await route.people(.campaignDrafts, visit)).",
        ]
        values.merge(CampaignHead(visit: visit, campaign: campaign, part: .testers).values(done: done)) { $1 }
        return route.route.pages.page(
            .campaignTesters, values, title: "\(CampaignHead.name(campaign)): testers", at: .campaigns, in: visit.app.bundleID,
            for: visit.visitor, status: faults.isEmpty ? .ok : .unprocessableContent)
    }

    private func row(_ place: Int, _ tester: CampaignTester, _ variants: [String], _ visit: CampaignVisit) -> [String: Any] {
        [
            "place": "\(place)", "id": tester.id, "kind": Self.word(tester.kind), "variant": tester.variant, "note": tester.note,
            "isGone": !variants.contains(tester.variant), "mayRemove": visit.may(.campaignDrafts),
        ]
    }

    /// Returns a fault of the list in the form's words, and the field that it is about.
    private static func error(
        _ fault: FieldFault,
        _ input: TesterInput,
        of campaign: ManagedCampaign
    ) -> (field: String, text: String) {
        guard fault.name != "testers" else { return ("tester", "There are too many testers. Take out those who are done.") }
        if !fault.name.hasPrefix("testers[\(campaign.testers.count)]") {
            return (
                "tester", "A tester who is there already keeps the list from being saved: \(fault.name) \(fault.reason)."
            )
        }
        switch fault.name.split(separator: ".").last {
        case "note": return ("note", "The note is too long. Give at most 200 letters.")
        case "variant": return ("variant", "There is no such variant any more. Choose another one.")
        default:
            return (
                "tester",
                campaign.testers.contains { $0.kind == input.kind && ExactText($0.id) == ExactText(input.id) }
                    ? "This tester is in the list already. Take them out first to give them another variant."
                    : "The id is missing or too long. Give the id by which the service knows them."
            )
        }
    }

    private static func word(_ kind: BucketingUnit) -> String {
        switch kind {
        case .customer: "Customer id of the app"
        case .appTransaction: "App transaction id"
        case .originalTransaction: "Original transaction id"
        }
    }
}
