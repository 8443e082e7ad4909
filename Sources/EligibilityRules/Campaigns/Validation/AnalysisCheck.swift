/// Whether a test that is read once can come to a verdict.
enum AnalysisCheck {
    // A test of more would outlive everybody.
    private static let mostUnits = 1_000_000_000

    /// Notes what is wrong with its sample size.
    static func check(_ campaign: Campaign, _ findings: inout [CampaignFinding]) {
        guard case .fixedHorizon(let units) = campaign.analysis else { return }
        let path = "analysis.sampleSize"
        let given = campaign.variants.filter { $0.weight > 0 }
        let smallest = given.map(\.weight).min() ?? Bucket.count
        // As many as give the smallest variant what any verdict needs.
        let least = (ExperimentPlan.minimumUnits * Bucket.count + smallest - 1) / smallest
        guard (least...mostUnits).contains(units) else {
            let message =
                units > mostUnits
                ? "\(units) customers will never come. Give \(mostUnits) at most."
                : "\(units) customers are too few: with them a variant has not the \(ExperimentPlan.minimumUnits) that a verdict needs."
                    + " Give \(least) or more."
            findings.append(CampaignFinding(path, .invalidSampleSize, message))
            return
        }
        guard given.count > 1 else {
            findings.append(
                CampaignFinding(
                    "analysis", .invalidSampleSize, "There is one variant, so nothing is compared. Leave it out.", severity: .warning))
            return
        }
        guard let proposed = campaign.proposedSampleSize, units < proposed else { return }
        findings.append(
            CampaignFinding(
                path, .invalidSampleSize,
                "With \(units) customers a difference of the size that is worth knowing is found less than four times out of five."
                    + " \(proposed) are enough.", severity: .warning))
    }
}

extension Campaign {
    /// How many customers, of all variants together, a test that is read once needs to find the smallest difference worth knowing four
    /// times out of five; nil where the goal does not say it, or nothing is compared.
    public var proposedSampleSize: Int? {
        let given = variants.filter { $0.weight > 0 }
        guard let control = given.first(where: \.isControl) ?? given.first, let detect = goal.detect, let expected = goal.expected
        else { return nil }
        let weights = [control.weight] + given.filter { $0.id != control.id }.map(\.weight)
        return ChosenEffect(detect: detect, expected: expected)
            .flatMap { ExperimentPlan(weights: weights, effect: $0) }?.unitsForFixedHorizon
    }
}
