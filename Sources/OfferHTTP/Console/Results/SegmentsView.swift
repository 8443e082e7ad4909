import EligibilityRules

/// The results by storefront, app version and caller.
///
/// They are hints, and never a verdict.
struct SegmentsView: TemplateView {
    struct Row: TemplateView {
        let value: String
        let dimension: String
        let tone: String
        /// Whether the customers of this segment were split among the variants as planned, in words.
        let split: String
        let cells: [Cell]
    }

    /// A variant in a segment.
    struct Cell: TemplateView {
        let name: String
        let exposed: String
        let rate: String
        /// The text that separates this variant from the next one.
        let separator: String
    }

    let rows: [Row]

    /// Returns nil if the results have no segments.
    init?(_ report: ExperimentReport) {
        guard !report.results.segments.isEmpty else { return nil }
        rows = report.results.segments.map { Self.row($0, report.revisions) }
    }

    private static func row(_ segment: SegmentResults, _ revisions: ExperimentRevisions) -> Row {
        let (tally, isAlone) = (segment.tally, revisions.isAlone)
        return Row(
            value: tally.value.isEmpty ? "not said" : tally.name, dimension: tally.dimension,
            tone: segment.isSplitOff ? "bad" : isAlone ? "idle" : "good",
            split: segment.isSplitOff ? "Off" : isAlone ? "One variant" : "As planned",
            cells: tally.exposed.indices.map { index in
                let outcomes = tally.outcomes[index]
                return Cell(
                    name: revisions.variants[index].label, exposed: ConsoleTime.number(tally.exposed[index]),
                    rate: outcomes.units == 0 ? "–" : ConsoleTime.share(outcomes.converted, of: outcomes.units),
                    separator: index == tally.exposed.count - 1 ? "" : "; ")
            })
    }
}

extension SegmentTally {
    /// The segment's value as people read it.
    ///
    /// A storefront is named by its country.
    var name: String { dimension == "storefront" ? Country.name(storefront: value) : value }
}

extension ExperimentRevisions {
    /// Whether all customers get the same variant, so that there is no split among variants to check.
    var isAlone: Bool { plan.weights.count { $0 > 0 } < 2 }
}
