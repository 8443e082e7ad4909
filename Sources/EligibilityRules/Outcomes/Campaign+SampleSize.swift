extension Campaign {
    /// How many units, of all variants together, a test that is read once needs to find the goal's difference with 80 % power.
    ///
    /// Nil if the goal does not give the difference to detect and the expected rate, or if there is nothing to compare.
    public var proposedSampleSize: Int? {
        ExperimentRevisions([CampaignRevision(self, number: 0)])?.plan.unitsForFixedHorizon
    }

    /// After how many units, of all variants together, a sequential test has probably found the same difference.
    ///
    /// Nil as for `proposedSampleSize`.
    public var sequentialSampleSize: Int? {
        ExperimentRevisions([CampaignRevision(self, number: 0)])?.plan.unitsForSequential
    }

    /// A warning that the campaign's sample size is too small to find the goal's difference with 80 % power; nil if it is not.
    ///
    /// Only a campaign that is read once has a sample size.
    public var sampleSizeFinding: CampaignFinding? {
        guard case .fixed(let units) = design.analysis, let proposed = proposedSampleSize,
            (CampaignAnalysis.minimumUnits..<proposed).contains(units)
        else { return nil }
        return CampaignFinding(
            "analysis.sampleSize", .invalidSampleSize,
            "With \(units) customers a difference of the size that is worth knowing is found less than four times out of five."
                + " \(proposed) are enough.", severity: .warning)
    }
}
