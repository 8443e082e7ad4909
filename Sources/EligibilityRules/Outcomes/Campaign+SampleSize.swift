extension Campaign {
    /// The units, of all variants together, with which a test that is read once finds the difference to detect with 80 % power.
    /// Nil where the goal does not give that difference, or nothing is compared.
    public var proposedSampleSize: Int? {
        ExperimentRevisions([CampaignRevision(self, number: 0)])?.plan.unitsForFixedHorizon
    }

    /// The units, of all variants together, with which a sequential test probably finds the same difference; nil as above.
    public var sequentialSampleSize: Int? {
        ExperimentRevisions([CampaignRevision(self, number: 0)])?.plan.unitsForSequential
    }

    /// A warning that the campaign is read once, and too early to find that difference with 80 % power; nil if it is not.
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
