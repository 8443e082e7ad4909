import EligibilityRules
import OfferService

/// The checks before a campaign goes live, and which of them are done.
struct LaunchChecks {
    let campaign: Campaign?
    let findings: [CampaignFinding]
    let words: FindingWords
    let visit: CampaignVisit
    /// The people who may approve, in words; empty if the draft is approved.
    let approvers: String

    /// Returns the values for the template.
    func values(title: String) -> [String: Any] {
        let all = checks
        let done = all.count { $0.tone == "good" }
        return [
            "checkTitle": title, "checkCount": "\(done) of \(all.count) done",
            "checks": all.map { ["tone": $0.tone, "word": $0.word, "text": $0.text] as [String: Any] },
        ]
    }

    private var checks: [(tone: String, word: String, text: String)] {
        let errors = findings.filter { $0.severity == .error }
        var reported: Set<String> = []
        var checks = (errors + findings.filter { $0.severity == .warning }).compactMap { finding in
            let text = words.text(finding)
            guard reported.insert(text).inserted else { return nil as (String, String, String)? }
            return finding.severity == .error ? ("bad", "To fix:", text) : ("warn", "Look at:", text)
        }
        checks.append(
            approvers.isEmpty
                ? ("good", "Done:", "another person has approved") : ("warn", "To do:", "another person approves: \(approvers)"))
        guard let campaign else { return checks }
        let codes = Set(errors.map(\.code))
        func done(_ text: String, unless faults: CampaignFinding.Code...) {
            if codes.isDisjoint(with: faults) { checks.append(("good", "Done:", text)) }
        }
        done("the weights add up to 100\u{a0}%", unless: .weightsDoNotAddUp, .invalidWeight, .noVariants)
        if campaign.variants.contains(where: { !$0.isControl }) {
            done("every offer is in the catalogue", unless: .unknownOffer, .unknownProduct, .offerOfAnotherProduct)
        }
        if campaign.variants.contains(where: \.isControl) {
            done("a control to compare with")
        } else {
            checks.append(("warn", "Look at:", "no variant is without an offer: the results cannot say what an offer is worth"))
        }
        if campaign.audience != nil {
            done(
                "customers can fit the audience", unless: .deadCondition, .emptyGroup, .unknownValue, .operatorDoesNotFit,
                .wrongOperand)
        } else {
            checks.append(("warn", "Look at:", "it is for all customers"))
        }
        done("the schedule lies ahead", unless: .emptySchedule, .pastSchedule)
        if campaign.limits?.total == nil, campaign.limits?.perCustomer == nil {
            checks.append(("warn", "Look at:", "there is no limit, neither per customer nor in total"))
        } else {
            done("there is a limit", unless: .invalidLimit)
        }
        done("no customer gets two campaigns of one group", unless: .exclusionGroupOverlap)
        return checks
    }
}
