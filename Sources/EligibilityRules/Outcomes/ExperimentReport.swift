/// The report of a campaign's experiment: the figures, and what they rest on.
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
    /// What they paid.
    public let revenue: RevenueReport
    /// Units that were exposed to an earlier revision with another question. They are set aside.
    public let unitsOfEarlierRevisions: Int
    /// Units whose purchases cannot be read. They are set aside.
    public let unreadableUnits: Int
    /// How the counts developed, by day of maturity.
    public let days: [MaturityDay]
    /// How fast units arrive; nil if no more will come, or that is not known.
    public let pace: ExposurePace?

    /// The conversion of the holdout: Wilson's 95 % interval, for one look.
    public var holdoutConversion: ConfidenceInterval { holdout.outcomes.wilsonInterval() }
}
