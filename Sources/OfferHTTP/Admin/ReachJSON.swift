import EligibilityRules
import OfferService
import WireText

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
        let (code, days, needed): (String, Int?, Int?) =
            switch forecast {
            case .days(let days, let units): ("days", days, units)
            case .noSize: ("no-size", nil, nil)
            case .nothingToCompare: ("nothing-to-compare", nil, nil)
            case .noPace: ("no-pace", nil, nil)
            case .never(let units): ("never", nil, units)
            }
        return .members([
            "code": .string(code), "days": days.map { JSONValue.integer($0) },
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
