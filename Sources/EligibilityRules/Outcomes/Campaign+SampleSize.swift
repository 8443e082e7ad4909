extension Campaign {
    /// How many units, of all variants together, a test that is read once needs to find the smallest difference worth knowing four
    /// times out of five; nil where the goal does not say it, or nothing is compared.
    public var proposedSampleSize: Int? {
        ExperimentRevisions([CampaignRevision(self, number: 0)])?.plan.unitsForFixedHorizon
    }

    /// How many units, of all variants together, a test that is looked at any day probably needs for the same; nil as above.
    public var sequentialSampleSize: Int? {
        ExperimentRevisions([CampaignRevision(self, number: 0)])?.plan.unitsForSequential
    }

    /// That the campaign is read once, and so early that the difference worth knowing is easily missed; nil where it is not.
    public var sampleSizeFinding: CampaignFinding? {
        guard case .fixed(let units) = analysis, let proposed = proposedSampleSize,
            (CampaignAnalysis.minimumUnits..<proposed).contains(units)
        else { return nil }
        return CampaignFinding(
            "analysis.sampleSize", .invalidSampleSize,
            "With \(units) customers a difference of the size that is worth knowing is found less than four times out of five."
                + " \(proposed) are enough.", severity: .warning)
    }
}
