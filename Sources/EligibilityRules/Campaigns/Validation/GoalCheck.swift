/// Checks a campaign's goal: its metric, and the figures that say how large the test must be.
struct GoalCheck {
    private let design: CampaignDesign

    init(_ design: CampaignDesign) { self.design = design }

    /// All faults of the goal.
    var findings: [CampaignFinding] { metric + (design.goal.metric == .revenue ? money : rates) + pace }

    private var pace: [CampaignFinding] {
        guard let customers = design.goal.customersPerDay, !(1...Int(Self.most)).contains(customers) else { return [] }
        return [fault("customersPerDay", "\(customers) is not a number of customers a day. Give 1 or more, up to a billion.")]
    }

    private var metric: [CampaignFinding] {
        guard design.goal.metric == .redeemed, let variant = design.variants.first(where: \.offers.isEmpty) else { return [] }
        let remedy = "Use `subscribed`, `retained`, `converted-to-paid` or `revenue`."
        return [fault("metric", "`redeemed` cannot be counted for `\(variant.id)`, which has no offer. \(remedy)")]
    }

    private var rates: [CampaignFinding] {
        let goal = design.goal
        var findings = [("expected", goal.expected), ("detect", goal.detect)].compactMap { name, value in
            value.flatMap { value in
                value > 0 && value < 1
                    ? nil : fault(name, "\(value) is not a share. Give a number between 0 and 1: 0.1 is 10 %.")
            }
        }
        if let expected = goal.expected, let detect = goal.detect, expected > 0, expected < 1, detect > 0, expected + detect > 1 {
            findings.append(fault("detect", "\(expected) plus \(detect) is above 100 %. Give a smaller difference."))
        }
        let others = [
            ("currency", goal.currency != nil), ("standardDeviation", goal.standardDeviation != nil), ("cap", goal.cap != nil),
        ]
        findings += others.filter(\.1).map { name, _ in
            fault(name, "It is for the metric `revenue` only. Leave it out, or use `revenue`.")
        }
        return findings
    }

    private var money: [CampaignFinding] {
        let goal = design.goal
        var findings: [CampaignFinding] = []
        if goal.currency?.wholeMatch(of: /[A-Z]{3}/) == nil {
            let given = goal.currency.map { "`\($0)` is not the code of a currency." } ?? "`revenue` needs a currency."
            findings.append(fault("currency", "\(given) Give one such as `USD`."))
        }
        if goal.expected != nil {
            findings.append(
                fault(
                    "expected",
                    "A share of customers does not belong to `revenue`. Leave it out: the customers that are needed follow from the smallest difference and the standard deviation."
                ))
        }
        let amounts = [("detect", goal.detect), ("standardDeviation", goal.standardDeviation), ("cap", goal.cap)]
        return findings
            + amounts.compactMap { name, value in
                value.flatMap { value in
                    value > 0 && value <= Self.most
                        ? nil : fault(name, "\(value) is not an amount of money. Give a number above 0, of up to a billion.")
                }
            }
    }

    private static let most = 1e9

    private func fault(_ name: String, _ message: String) -> CampaignFinding {
        CampaignFinding("goal.\(name)", .invalidGoal, message)
    }
}
