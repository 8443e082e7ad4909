/// Checks the shares of a campaign.
///
/// A campaign with wrong shares cannot decide.
enum CampaignShares {
    static func check(_ campaign: Campaign, _ findings: inout [CampaignFinding]) {
        share(campaign.design.enrolment, "enrolment", &findings)
        share(campaign.design.holdout, "holdout", &findings)
        guard !campaign.design.variants.isEmpty else {
            findings.append(
                CampaignFinding(
                    "variants", .noVariants, "The campaign has no variant. Add one with an offer, and a control to compare with.")
            )
            return
        }
        for (index, variant) in campaign.design.variants.enumerated() where !(0...Bucket.count).contains(variant.weight) {
            findings.append(
                CampaignFinding(
                    "variants[\(index)].weight", .invalidWeight,
                    "\(variant.weight) is not a weight. Give basis points from 0 to \(Bucket.count): 5000 is 50 %."))
        }
        let weights = campaign.design.variants.map(\.weight)
        let (sum, overflow) = weights.reduce((0, false)) { sum, weight in
            let next = sum.0.addingReportingOverflow(weight)
            return (next.partialValue, sum.1 || next.overflow)
        }
        guard overflow || sum != Bucket.count else { return }
        let difference = overflow ? 0 : Bucket.count - sum
        let remedy =
            overflow ? "" : difference > 0 ? " Give the \(difference) that are left to a variant." : " Take \(-difference) away."
        findings.append(
            CampaignFinding(
                "variants", .weightsDoNotAddUp,
                "\(weights.map(String.init).joined(separator: " + ")) is not \(Bucket.count): the weights must add up to 100 %.\(remedy)"
            ))
    }

    private static func share(_ value: Int, _ path: String, _ findings: inout [CampaignFinding]) {
        guard !(0...Bucket.count).contains(value) else { return }
        findings.append(
            CampaignFinding(
                path, .invalidShare, "\(value) is not a share. Give basis points from 0 to \(Bucket.count): 500 is 5 %.")
        )
    }
}
