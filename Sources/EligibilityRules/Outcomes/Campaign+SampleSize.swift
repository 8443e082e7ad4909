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

    /// Warnings that the campaign, if it starts now, will probably not show the goal's difference.
    public func planFindings(now: Instant) -> [CampaignFinding] { [smallSample, unlikelyVerdict(now)].compactMap(\.self) }

    /// A campaign that is read once has too small a sample size to find the goal's difference with 80 % power.
    private var smallSample: CampaignFinding? {
        guard case .fixed(let units) = design.analysis, let proposed = proposedSampleSize,
            (CampaignAnalysis.minimumUnits..<proposed).contains(units)
        else { return nil }
        return CampaignFinding(
            "analysis.sampleSize", .invalidSampleSize,
            "With \(units) customers a difference of the size that is worth knowing is found less than four times out of five."
                + " \(proposed) are enough.", severity: .warning)
    }

    /// At the pace that the goal expects, the campaign ends too early, or never gets enough customers.
    private func unlikelyVerdict(_ now: Instant) -> CampaignFinding? {
        guard let customers = design.goal.customersPerDay else { return nil }
        let text: String
        switch forecast(nil, now: now) {
        case .tooShort(let outlook):
            text =
                "With \(customers) customers a day the campaign has about \(outlook.units) of the \(outlook.needed) customers that it"
                + " needs when it ends. So no verdict is likely. Let it run longer, or look for a larger difference."
        case .never(let units):
            text =
                "The campaign needs \(units) customers. With \(customers) a day that takes centuries. Look for a larger difference."
        case .days, .noSize, .nothingToCompare, .noPace: return nil
        }
        return CampaignFinding("goal.customersPerDay", .verdictUnlikely, text, severity: .warning)
    }
}
