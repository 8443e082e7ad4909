import EligibilityRules
import OfferService
import WireText

/// The results of a campaign, as the API shows them.
enum CampaignResultsJSON {
    /// - Parameters:
    ///   - rehearsals: the testers' counts, which are not part of the report.
    ///   - counting: the progress of a recount; nil if none is under way.
    static func report(
        _ report: ExperimentReport, _ rehearsals: [RehearsalCount], _ counting: CountingProgress?
    ) -> JSONValue {
        let (results, goal) = (report.results, report.revisions.campaign.design.goal)
        return .members([
            "verdict": verdict(results.verdict),
            "method": .string(results.method),
            "asOf": .instant(report.asOf),
            "revisions": .members([
                "from": .integer(report.revisions.numbers.lowerBound), "to": .integer(report.revisions.numbers.upperBound),
            ]),
            "goal": .members([
                "metric": .string(goal.metric.rawValue), "window": .string(goal.window.text),
                "currency": goal.currency.map(JSONValue.string), "cap": goal.cap.map(number),
                "expected": report.revisions.plan.effect?.expected.map(number),
                "detect": report.revisions.plan.effect.map { number($0.detect) },
                "standardDeviation": report.revisions.plan.effect?.standardDeviation.map(number),
            ]),
            "variants": .array(results.variants.indices.map { variant(report, $0) }),
            "pairs": .array(results.pairs.map { pair($0, results) }),
            "holdout": holdout(report),
            "revenue": RevenueJSON.report(report.revenue, of: report.revisions.variants.map(\.id)),
            "sampleRatio": .members([
                "p": number(results.sampleRatio.p), "isOff": .bool(results.sampleRatio.isOff),
                "expected": .array(results.sampleRatio.expected.map(number)), "observed": integers(results.sampleRatio.observed),
            ]),
            "daysNeeded": report.daysNeeded.map { .integer($0) },
            "unitsNeeded": report.revisions.plan.unitsNeeded.map { .integer($0) },
            "setAside": .members([
                "twoVariants": .integer(results.unitsInTwoVariants), "earlierRevisions": .integer(report.unitsOfEarlierRevisions),
                "unreadable": .integer(report.unreadableUnits),
            ]),
            "segments": .array(results.segments.map { segment($0, report) }),
            "days": .array(report.days.map(day)),
            "rehearsal": rehearsal(rehearsals),
            "counting": counting.map(progress),
        ])
    }

    /// Returns the testers' counts by variant.
    static func rehearsal(_ counts: [RehearsalCount]) -> JSONValue {
        .object(
            counts.map { count in
                JSONValue.Member(
                    name: count.variant,
                    value: .members(["exposed": .integer(count.exposed), "signed": .integer(count.signed)]))
            })
    }

    static func progress(_ progress: CountingProgress) -> JSONValue {
        .members(["done": .integer(progress.done), "total": .integer(progress.total)])
    }

    private static func verdict(_ verdict: ExperimentVerdict) -> JSONValue {
        .members([
            "code": .string(verdict.code.rawValue), "sentence": .string(verdict.sentence),
            "variant": verdict.variant.map(JSONValue.string), "caution": verdict.caution.map(JSONValue.string),
            "moneyDisagrees": .bool(verdict.moneyDisagrees),
        ])
    }

    private static func variant(_ report: ExperimentReport, _ index: Int) -> JSONValue {
        let (line, tally) = (report.results.variants[index], report.tallies[index])
        let comparison = line.comparison
        return .object(
            [
                JSONValue.Member(name: "id", value: .string(line.tally.id)),
                JSONValue.Member(name: "name", value: .string(line.tally.label)),
                JSONValue.Member(name: "weight", value: .integer(report.revisions.variants[index].weight)),
            ] + counts(tally) + [
                JSONValue.Member(name: "conversion", value: conversion(tally, line.conversion)),
                JSONValue.Member(
                    name: "revenue", value: .array(line.revenue.map { revenue($0, comparison?.revenue ?? []) })),
            ]
                + (comparison.map(comparisons) ?? []))
    }

    private static func pair(_ pair: VariantPair, _ results: ExperimentResults) -> JSONValue {
        .members([
            "base": .string(results.variants[pair.base].tally.id), "variant": .string(results.variants[pair.other].tally.id),
            "difference": pair.rate.map { difference($0.value, $0.interval) },
            "revenue": pair.revenue.flatMap { gain in
                results.currency.map { currency in
                    .members([
                        "currency": .string(currency), "value": number(gain.value), "low": number(gain.interval.low),
                        "high": number(gain.interval.high),
                    ])
                }
            },
        ])
    }

    private static func comparisons(_ comparison: VariantComparison) -> [JSONValue.Member] {
        let newcombe = comparison.newcombe
        var members = [
            JSONValue.Member(name: "difference", value: difference(comparison.value, comparison.interval)),
            JSONValue.Member(name: "chanceToBeatControl", value: number(comparison.chanceToBeatControl)),
            JSONValue.Member(name: "newcombe", value: .members(["low": number(newcombe.low), "high": number(newcombe.high)])),
            JSONValue.Member(name: "zTest", value: .members(["z": number(comparison.z), "p": number(comparison.zTestP)])),
        ]
        if let p = comparison.sequentialP { members.append(JSONValue.Member(name: "sequentialP", value: number(p))) }
        return members
    }

    private static func holdout(_ report: ExperimentReport) -> JSONValue {
        .object(
            counts(report.holdout) + [
                JSONValue.Member(name: "conversion", value: conversion(report.holdout, report.holdoutConversion))
            ])
    }

    private static func counts(_ tally: OutcomeTally) -> [JSONValue.Member] {
        [
            ("exposed", tally.exposed), ("matured", tally.matured), ("signed", tally.signed), ("redeemed", tally.redeemed),
            ("converted", tally.converted), ("refunded", tally.refunded), ("retentionOffers", tally.retentionOffers),
            ("unknownPrices", tally.unknownPrices),
        ].map { JSONValue.Member(name: $0, value: .integer($1)) }
    }

    private static func conversion(_ tally: OutcomeTally, _ interval: ConfidenceInterval) -> JSONValue {
        .members([
            "rate": tally.matured == 0 ? .null : number(Double(tally.converted) / Double(tally.matured)),
            "low": number(interval.low), "high": number(interval.high),
        ])
    }

    private static func difference(_ value: Double, _ interval: ConfidenceInterval) -> JSONValue {
        .members(["value": number(value), "low": number(interval.low), "high": number(interval.high)])
    }

    private static func revenue(_ estimate: RevenueEstimate, _ differences: [RevenueEstimate]) -> JSONValue {
        let difference = differences.first { $0.currency == estimate.currency }
        return .members([
            "currency": .string(estimate.currency), "perExposed": number(estimate.value),
            "low": estimate.interval.map { number($0.low) } ?? .null,
            "high": estimate.interval.map { number($0.high) } ?? .null,
            "difference": difference.map {
                .members([
                    "value": number($0.value), "low": $0.interval.map { number($0.low) } ?? .null,
                    "high": $0.interval.map { number($0.high) } ?? .null,
                ])
            },
        ])
    }

    private static func segment(_ segment: SegmentResults, _ report: ExperimentReport) -> JSONValue {
        let tally = segment.tally
        return .members([
            "dimension": .string(tally.dimension), "value": .string(tally.value),
            "sampleRatio": .members(["p": number(segment.sampleRatioP), "isOff": .bool(segment.isSplitOff)]),
            "variants": .array(
                tally.exposed.indices.map { index in
                    .members([
                        "id": .string(report.revisions.variants[index].id), "exposed": .integer(tally.exposed[index]),
                        "matured": .integer(tally.outcomes[index].units), "converted": .integer(tally.outcomes[index].converted),
                        "difference": segment.comparisons[index].map { difference($0.value, $0.interval) },
                        "p": segment.comparisons[index].map { number($0.p) },
                    ])
                }),
        ])
    }

    private static func day(_ day: MaturityDay) -> JSONValue {
        .members([
            "until": .instant(day.until), "matured": integers(day.outcomes.map(\.units)),
            "converted": integers(day.outcomes.map(\.converted)),
        ])
    }

    private static func integers(_ numbers: [Int]) -> JSONValue { .array(numbers.map { .integer($0) }) }

    private static func number(_ value: Double) -> JSONValue { .number("\(value)") }
}
