/// The report on a campaign's experiment: the figures, and the counts from which they were computed.
public struct ExperimentReport: Sendable {
    /// The revisions that are counted together.
    public let revisions: ExperimentRevisions
    /// The instant of the counts.
    public let asOf: Instant
    /// The figures and the verdict.
    public let results: ExperimentResults
    /// The counts of each variant, in the order of the results.
    public let tallies: [OutcomeTally]
    /// The counts of the holdout.
    public let holdout: OutcomeTally
    /// What the units paid.
    public let revenue: RevenueReport
    /// The number of units that were exposed to an earlier revision with another design.
    ///
    /// They are in no other count.
    public let unitsOfEarlierRevisions: Int
    /// The number of units whose stored purchases cannot be read.
    ///
    /// They are in no other count.
    public let unreadableUnits: Int
    /// How the counts developed, by the day on which the units' windows ended.
    public let days: [MaturityDay]
    /// How fast units arrive; nil if no more will come, or if the pace is not known.
    public let pace: ExposurePace?

    /// Wilson's 95 % interval of the holdout's rate; valid if it is read once.
    public var holdoutConversion: ConfidenceInterval { holdout.outcomes.wilsonInterval() }
}
