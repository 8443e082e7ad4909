import EligibilityRules
import OfferService
import WireText

/// Revenue in the results of a campaign, as the API shows it.
enum RevenueJSON {
    static func report(_ revenue: RevenueReport, of variants: [String]) -> JSONValue {
        .members([
            "currency": revenue.table.map { .string($0.currency) }, "ratesAsOf": revenue.table?.asOf.map(JSONValue.string),
            "withoutRate": .array(revenue.withoutRate.map(JSONValue.string)),
            "spans": .array(
                revenue.spans.map { span in
                    .members([
                        "days": span.days.map { .integer($0) },
                        "variants": .array(zip(variants, span.variants).map { line($1, of: $0) }),
                        "holdout": line(span.holdout, of: CampaignVariant.holdout),
                    ])
                }),
        ])
    }

    private static func line(_ line: RevenueReport.Line, of variant: String) -> JSONValue {
        .members([
            "id": .string(variant), "exposed": .integer(line.exposed), "over": .integer(line.over),
            "unknownPrices": .integer(line.unknownPrices), "paid": .array(line.paid.map(figure)),
            "converted": line.converted.map(figure),
        ])
    }

    private static func figure(_ figure: RevenueReport.Figure) -> JSONValue {
        .members([
            "currency": .string(figure.currency), "total": .number(figure.total.text),
            "perExposed": figure.perExposed.map { number($0.value) } ?? .null,
            "low": end(figure.perExposed?.interval?.low), "high": end(figure.perExposed?.interval?.high),
            "difference": figure.difference.map {
                .members(["value": number($0.value), "low": end($0.interval?.low), "high": end($0.interval?.high)])
            },
        ])
    }

    private static func end(_ value: Double?) -> JSONValue { value.map(number) ?? .null }

    private static func number(_ value: Double) -> JSONValue { .number("\(value)") }
}
