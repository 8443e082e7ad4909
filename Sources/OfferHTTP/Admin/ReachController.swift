import EligibilityRules
import HTTPTypes
import Hummingbird
import OfferService
import WireText

/// `/v1/admin/campaigns/reach`: counts the stored customers in an audience that is being written.
struct ReachController: Sendable {
    // If counting takes longer than this, the answer states how far it has come.
    private static let patience = Duration.seconds(1)

    let reach: CampaignReach
    let campaigns: CampaignAdministration

    var routes: [OperationRoute] {
        [
            OperationRoute(.countAudience, respond: count)
        ]
    }

    private func count(_ request: OperationRequest) async throws -> Response {
        let (bundleID, environment, audience, text) = try request.read { reader in
            let environment: App.Environment? = reader.optionalChoice("environment")
            let (audience, text) = (reader.value("audience"), reader.value("campaign").map(CampaignText.init(json:)))
            if audience != nil, text != nil { reader.refuse("audience", "must be left out: the campaign has one") }
            return (reader.optionalText("bundleId"), environment, audience, text)
        }
        let named = bundleID ?? text?.campaign?.bundleID
        let app = try campaigns.apps.app(named: named, for: request.caller).app(in: environment).withPurchases()
        let condition: Condition?
        do throws(CampaignFaults) {
            condition = try audience.map { json throws(CampaignFaults) in try Condition(json: json, at: "audience") }
        } catch {
            throw RequestFault.invalidFields(error.faults)
        }
        let faults = text?.faults ?? []
        guard faults.isEmpty else {
            throw RequestFault.invalidFields(faults.map { FieldFault(name: "campaign.\($0.name)", reason: $0.reason) })
        }
        var segments = Segments(try await campaigns.segments.list(of: app.bundleID).map(\.segment))
        var campaign: Campaign?
        if let text {
            campaign = try await campaigns.withSegments(text, of: app).campaign
            segments = Segments(campaign?.segments ?? [])
        }
        let wanted = (condition ?? campaign?.audience)?.withSegmentsPutIn(segments)
        do {
            switch try await reach.count(wanted, of: app, within: Self.patience) {
            case .counting(let progress):
                return JSONValue.members([
                    "status": .string("counting"), "counted": .integer(progress.done), "of": .integer(progress.total),
                ]).asResponse(.accepted)
            case .counted(let count, let funnel, let instant):
                return ReachJSON.answer(count, funnel, campaign, at: instant).asResponse()
            }
        } catch let error as AudienceFunnel.Unreadable {
            throw RequestFault.invalidFields(error.findings.map { FieldFault(name: $0.path, reason: $0.message) })
        }
    }
}

/// The number of customers in an audience, as the API shows it.
enum ReachJSON {
    static func answer(
        _ count: AudienceCount,
        _ funnel: AudienceFunnel,
        _ campaign: Campaign?,
        at instant: Instant
    ) -> JSONValue {
        .members([
            "status": .string("counted"), "asOf": .instant(instant), "customers": .integer(count.customers),
            "matching": .integer(count.matching), "unreadable": .integer(count.unreadable),
            "conditions": .array(
                funnel.stages.enumerated().map { index, stage in
                    .members([
                        "path": .string(stage.path), "text": .string(ConditionText.words(stage.condition)),
                        "matching": .integer(count.passed[index + 1]),
                    ])
                }),
            "attributes": .texts(funnel.attributes), "sample": .array(count.sample.map { sampled($0, funnel) }),
            "misses": .array(count.misses.map { sampled($0, funnel) }),
            "asking": .members([
                "days": .integer(count.asking.counts.count), "customers": .integer(count.asking.all),
            ]), "forecast": campaign.map { forecast($0.forecast(count.asking, now: instant)) },
        ])
    }

    private static func forecast(_ forecast: CampaignForecast) -> JSONValue {
        let (code, days, units, needed): (String, Int?, Int?, Int?) =
            switch forecast {
            case .days(let days, let units): ("days", days, nil, units)
            case .noSize: ("no-size", nil, nil, nil)
            case .nothingToCompare: ("nothing-to-compare", nil, nil, nil)
            case .noPace: ("no-pace", nil, nil, nil)
            case .tooShort(let outlook): ("too-short", nil, outlook.units, outlook.needed)
            case .never(let units): ("never", nil, nil, units)
            }
        return .members([
            "code": .string(code), "days": days.map { JSONValue.integer($0) }, "units": units.map { JSONValue.integer($0) },
            "unitsNeeded": needed.map { JSONValue.integer($0) },
        ])
    }

    private static func sampled(_ customer: AudienceCount.Sampled, _ funnel: AudienceFunnel) -> JSONValue {
        .members([
            "customerId": .string(customer.customerID), "reasons": .texts(customer.reasons),
            "heldUpBy": .texts(customer.obstacles.map { funnel.stages[$0].path }),
        ])
    }
}
