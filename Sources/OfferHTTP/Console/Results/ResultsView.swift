import EligibilityRules
import OfferService

/// The results of a campaign, for their template. If the split is off, nothing that compares variants is shown.
struct ResultsView {
    let report: ExperimentReport
    let campaign: ManagedCampaign
    let visit: CampaignVisit
    /// The storefront that is shown beside the whole; empty: none.
    let storefront: String

    private var results: ExperimentResults { report.results }
    private var isHidden: Bool { results.sampleRatio.isOff }

    /// The values for the template.
    var values: [String: Any] {
        let forest = ForestPlot(results.variants)
        var values: [String: Any] = [
            "asOf": visit.time.at(report.asOf), "csv": visit.path(campaign.name.id, "results.csv"), "revisions": revisions,
            "variants": results.variants.indices.map(row), "showsComparison": !isHidden, "holdout": holdout,
            "forest": isHidden || forest.rows.isEmpty ? false : forest.values as Any, "trust": trust, "method": results.method,
            "goal": goal, "segments": segments.isEmpty ? false : ["rows": segments] as [String: Any],
            "showsChance": showsChance,
            "chanceWaits": !isHidden && !showsChance && results.variants.contains { $0.comparison != nil }
                ? "The chance to beat the control is shown once there is a verdict: before that, it is often high by luck."
                    as Any
                : false,
            "band": band, "winner": winner, "filter": filter, "part": part,
        ]
        values.merge(verdict) { $1 }
        return values
    }

    /// Whether the chance to beat the control is shown. It holds for one look, so it needs a verdict that states no less.
    private var showsChance: Bool { results.verdict.code == .winner }

    private var isAlone: Bool { report.revisions.plan.weights.count { $0 > 0 } < 2 }

    private var band: Any {
        BandChart(report.bands, names: report.revisions.variants.map(\.id), time: visit.time)?.values ?? false
    }

    /// The link to act on a verdict; false if there is none.
    private var winner: Any {
        guard let winner = report.winner else { return false }
        if winner.isControl {
            guard visit.may(.campaignRuns), !campaign.position.isEnded else { return false }
            return ["href": visit.path(campaign.name.id, "end"), "button": "End the campaign …"]
        }
        guard visit.may(.campaignDrafts) else { return false }
        return ["href": visit.path(campaign.name.id, "winner"), "button": "Give the winner to all …"]
    }

    private var storefronts: [SegmentResults] { results.segments.filter { $0.tally.dimension == "storefront" } }

    private var filter: Any {
        guard !storefronts.isEmpty else { return false }
        return [
            "action": visit.path(campaign.name.id, "results"),
            "choices": storefronts.map {
                ["id": $0.tally.value, "isChosen": $0.tally.value == storefront] as [String: Any]
            },
        ] as [String: Any]
    }

    private var part: Any {
        storefronts.first { $0.tally.value == storefront }.map { PartView(report: report, segment: $0).values } ?? false
    }

    private var revisions: String {
        let numbers = report.revisions.numbers
        return numbers.count == 1 ? "revision \(numbers.lowerBound)" : "revisions \(numbers.lowerBound) to \(numbers.upperBound)"
    }

    private var verdict: [String: Any] {
        let verdict = results.verdict
        let (tone, badge): (String, String) =
            switch verdict.code {
            case .winner: ("good", "Winner: \(verdict.variant ?? "")")
            case .noDifference: ("idle", "No difference worth knowing")
            case .noVerdictYet, .tooLittleData: ("info", "Cannot say yet")
            case .sampleRatioMismatch: ("bad", "No verdict: the split is off")
            }
        return [
            "tone": tone, "badge": badge, "sentence": verdict.sentence, "caution": verdict.caution ?? false as Any,
            "needed": results.daysNeeded.map { "about \(ConsoleTime.count($0, "more day"))" } ?? "",
        ]
    }

    private var goal: String {
        let goal = report.revisions.campaign.goal
        let window = PeriodWords.text(goal.window.text)
        return switch goal.metric {
        case .subscribed:
            "Converted: subscribed within \(window) of the first exposure, and was not refunded; the same for every variant, control included."
        case .retained:
            "Converted: was subscribed \(window) after the first exposure, and was not refunded; the same for every variant, control included."
        case .redeemed: "Converted: redeemed the offer within \(window) of the first exposure, and was not refunded."
        }
    }

    private func row(_ index: Int) -> [String: Any] {
        let (line, tally) = (results.variants[index], report.tallies[index])
        var values = counts(tally, line.conversion)
        values["class"] = SplitBar.style(index)
        values["name"] = line.tally.id
        values["share"] = SplitBar.percent(report.revisions.variants[index].weight)
        let comparison = line.comparison
        values["difference"] = comparison.map { "\(FigureText.points($0.value)) points" } ?? "–"
        values["differenceRange"] = comparison.map { FigureText.range($0.interval, .points) } ?? ""
        values["chance"] =
            comparison.flatMap {
                $0.interval.isAboveZero || $0.interval.isBelowZero ? FigureText.chance($0.chanceToBeatControl) : nil
            }
            ?? "–"
        values["revenue"] = line.revenue.map {
            [
                "value": "\(FigureText.money($0.value)) \($0.currency)",
                "range": $0.interval.map { FigureText.range($0, .money) } ?? "",
            ]
        }
        return values
    }

    private func counts(_ tally: OutcomeTally, _ interval: ConfidenceInterval) -> [String: Any] {
        [
            "exposed": ConsoleTime.number(tally.exposed), "matured": ConsoleTime.number(tally.matured),
            "signed": ConsoleTime.number(tally.signed), "redeemed": ConsoleTime.number(tally.redeemed),
            "converted": ConsoleTime.number(tally.converted), "refunded": ConsoleTime.number(tally.refunded),
            "rate": tally.matured == 0 ? "–" : ConsoleTime.share(tally.converted, of: tally.matured),
            "rateRange": tally.matured == 0 ? "" : FigureText.range(interval, .percent),
        ]
    }

    private var holdout: Any {
        guard report.holdout.exposed > 0 else { return false }
        return counts(report.holdout, report.holdoutConversion)
    }

    private var trust: [[String: Any]] {
        func mark(_ tone: String, _ heading: String, _ text: String) -> [String: Any] {
            ["tone": tone, "heading": heading, "text": text]
        }
        let ratio = results.sampleRatio
        let all = max(1, ratio.observed.reduce(0, +))
        let planned = report.revisions.variants.map { SplitBar.percent($0.weight) }.joined(separator: " : ")
        let got = ratio.observed.map { ConsoleTime.share($0, of: all) }.joined(separator: " : ")
        var marks = [
            isAlone
                ? mark("info", "One variant", "All customers get it, so there is no split to judge.")
                : mark(
                    ratio.isOff ? "bad" : "good", ratio.isOff ? "The split is off" : "The split is as planned",
                    "Planned \(planned), got \(got)." + (ratio.isOff ? "" : " Such a difference is normal."))
        ]
        let matured = report.tallies.map(\.matured).reduce(0, +)
        if case .fixedHorizon(let units) = report.revisions.plan.method {
            let isRead = matured >= units
            marks.append(
                mark(
                    isRead ? "good" : "info", isRead ? "As many as planned" : "Not read yet",
                    "\(ConsoleTime.number(min(matured, units))) of \(ConsoleTime.number(units)) customers. This test is read once: the verdict is of the first \(ConsoleTime.number(units)), and stays."
                ))
        } else if let needed = report.revisions.plan.unitsNeeded {
            marks.append(
                mark(
                    matured >= needed ? "good" : "info", matured >= needed ? "As many as planned" : "Fewer than planned so far",
                    "\(ConsoleTime.number(matured)) of about \(ConsoleTime.number(needed)) customers for the difference you want to see. A verdict that is there need not wait for the rest."
                ))
        }
        let open = report.tallies.map { $0.exposed - $0.matured }.reduce(0, +)
        marks.append(
            mark("info", "Still open", "\(ConsoleTime.count(open, "customer")) can still reach the goal: their time is not over.")
        )
        marks.append(
            mark(
                results.unitsInTwoVariants == 0 ? "good" : "info", "Seen in two variants",
                "\(ConsoleTime.count(results.unitsInTwoVariants, "customer")) set aside."))
        let aside = report.unitsOfEarlierRevisions + report.unreadableUnits
        if aside > 0 {
            marks.append(
                mark(
                    "info", "Set aside",
                    "\(ConsoleTime.number(report.unitsOfEarlierRevisions)) of earlier revisions that asked something else, \(ConsoleTime.number(report.unreadableUnits)) whose purchases cannot be read."
                ))
        }
        return marks
    }

    private var segments: [[String: Any]] {
        results.segments.map { segment in
            let tally = segment.tally
            return [
                "dimension": tally.dimension, "value": tally.value.isEmpty ? "not said" : tally.value,
                "tone": segment.isSplitOff ? "bad" : isAlone ? "idle" : "good",
                "split": segment.isSplitOff ? "Off" : isAlone ? "One variant" : "As planned",
                "cells": tally.exposed.indices.map { index in
                    [
                        "name": report.revisions.variants[index].id, "exposed": ConsoleTime.number(tally.exposed[index]),
                        "separator": index == tally.exposed.count - 1 ? "" : "; ",
                        "rate": tally.outcomes[index].units == 0
                            ? "–" : ConsoleTime.share(tally.outcomes[index].converted, of: tally.outcomes[index].units),
                    ]
                },
            ]
        }
    }
}
