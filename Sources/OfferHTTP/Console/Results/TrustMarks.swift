import EligibilityRules

/// The reasons to trust the numbers, or not to.
enum TrustMarks {
    static func all(_ report: ExperimentReport) -> [MarkView] {
        [split(report), plan(report), open(report), inTwoVariants(report.results), aside(report)].compactMap(\.self)
    }

    private static func split(_ report: ExperimentReport) -> MarkView {
        guard !report.revisions.isAlone else {
            return MarkView(
                tone: "info", heading: "One variant", text: "All customers get it, so there is no split to judge.")
        }
        let ratio = report.results.sampleRatio
        let all = max(1, ratio.observed.reduce(0, +))
        let planned = report.revisions.variants.map { SplitBar.percent($0.weight) }.joined(separator: " : ")
        let got = ratio.observed.map { ConsoleTime.share($0, of: all) }.joined(separator: " : ")
        return MarkView(
            tone: ratio.isOff ? "bad" : "good", heading: ratio.isOff ? "The split is off" : "The split is as planned",
            text: "Planned \(planned), got \(got)." + (ratio.isOff ? "" : " Such a difference is normal."))
    }

    /// Returns the mark that says whether there are as many customers as planned; nil if no number is planned.
    private static func plan(_ report: ExperimentReport) -> MarkView? {
        let matured = report.tallies.map(\.matured).reduce(0, +)
        if case .fixedHorizon(let units) = report.revisions.plan.method {
            let isRead = matured >= units
            return MarkView(
                tone: isRead ? "good" : "info", heading: isRead ? "As many as planned" : "Not read yet",
                text:
                    "\(ConsoleTime.number(min(matured, units))) of \(ConsoleTime.number(units)) customers. This test is read once: the verdict is of the first \(ConsoleTime.number(units)), and stays."
            )
        }
        guard let needed = report.revisions.plan.unitsNeeded else { return nil }
        return MarkView(
            tone: matured >= needed ? "good" : "info",
            heading: matured >= needed ? "As many as planned" : "Fewer than planned so far",
            text:
                "\(ConsoleTime.number(matured)) of about \(ConsoleTime.number(needed)) customers for the difference you want to see. A verdict that is there need not wait for the rest."
        )
    }

    private static func open(_ report: ExperimentReport) -> MarkView {
        let open = report.tallies.map { $0.exposed - $0.matured }.reduce(0, +)
        return MarkView(
            tone: "info", heading: "Still open",
            text: "\(ConsoleTime.count(open, "customer")) can still reach the goal: their time is not over.")
    }

    private static func inTwoVariants(_ results: ExperimentResults) -> MarkView {
        MarkView(
            tone: results.unitsInTwoVariants == 0 ? "good" : "info", heading: "Seen in two variants",
            text: "\(ConsoleTime.count(results.unitsInTwoVariants, "customer")) set aside.")
    }

    private static func aside(_ report: ExperimentReport) -> MarkView? {
        guard report.unitsOfEarlierRevisions + report.unreadableUnits > 0 else { return nil }
        return MarkView(
            tone: "info", heading: "Set aside",
            text:
                "\(ConsoleTime.number(report.unitsOfEarlierRevisions)) of earlier revisions that asked something else, \(ConsoleTime.number(report.unreadableUnits)) whose purchases cannot be read."
        )
    }
}
