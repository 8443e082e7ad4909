package import EligibilityRules

/// How a campaign is doing, as last counted in the background.
package struct CampaignFigures: Equatable, Sendable {
    /// The counts of a variant.
    package struct Variant: Equatable, Sendable {
        package let id: String
        /// Units exposed to it.
        package let exposed: Int
        /// Units whose window is over.
        package let matured: Int
        /// Of these, units that reached the goal.
        package let converted: Int
    }

    /// The uses of the limit of all customers together.
    package struct Total: Equatable, Sendable {
        package let used: Int
        package let max: Int

        package var isUsedUp: Bool { used >= max }
    }

    /// The number of the campaign's latest revision then.
    package let revision: Int
    package let asOf: Instant
    /// In the order of the plan, the control first.
    package let variants: [Variant]
    package let verdict: ExperimentVerdict.Code
    /// The verdict as a sentence.
    package let sentence: String
    /// The winner; nil for any other verdict.
    package let winner: String?
    package let isSplitOff: Bool
    /// Units exposed per day lately; nil if no more will come, or that is not known.
    package let unitsPerDay: Double?
    /// Days until a verdict is likely; nil as in `ExperimentResults`.
    package let daysNeeded: Int?
    /// Nil if the campaign has no such limit.
    package let total: Total?
    /// What was recorded of earlier counts.
    let announced: CampaignAnnouncements

    /// Units exposed to any variant.
    package var exposed: Int { variants.reduce(0) { $0 + $1.exposed } }
}

extension CampaignFigures {
    /// Takes what a count has found.
    init(_ report: ExperimentReport, total: Total?, announced: CampaignAnnouncements) {
        let (results, verdict) = (report.results, report.results.verdict)
        self.init(
            revision: report.revisions.numbers.upperBound, asOf: report.asOf,
            variants: zip(results.variants, report.tallies).map { line, tally in
                Variant(id: line.tally.id, exposed: tally.exposed, matured: tally.matured, converted: tally.converted)
            },
            verdict: verdict.code, sentence: verdict.sentence, winner: verdict.variant, isSplitOff: results.sampleRatio.isOff,
            unitsPerDay: report.pace?.unitsPerDay, daysNeeded: results.daysNeeded, total: total, announced: announced)
    }
}
