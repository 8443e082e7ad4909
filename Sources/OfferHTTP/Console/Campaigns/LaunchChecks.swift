import EligibilityRules
import OfferService

/// What has to be checked before a campaign goes live, and which of these checks are done.
struct LaunchChecks {
    let campaign: Campaign?
    let findings: [CampaignFinding]
    let words: FindingWords
    let visit: CampaignVisit
    /// The people who may approve the draft, in words; empty if it is approved.
    let approvers: String

    /// Returns the view of the checks.
    func view(title: String) -> ChecklistView { ChecklistView(title: title, checks) }

    private var checks: [CheckView] {
        let errors = findings.filter { $0.severity == .error }
        var reported: Set<String> = []
        var checks = (errors + findings.filter { $0.severity == .warning }).compactMap { finding in
            let text = words.text(finding)
            guard reported.insert(text).inserted else { return nil as CheckView? }
            return finding.severity == .error
                ? CheckView(tone: "bad", word: "To fix:", text: text) : CheckView(tone: "warn", word: "Look at:", text: text)
        }
        func look(_ text: String) { checks.append(CheckView(tone: "warn", word: "Look at:", text: text)) }
        checks.append(
            approvers.isEmpty
                ? CheckView(tone: "good", word: "Done:", text: "another person has approved")
                : CheckView(tone: "warn", word: "To do:", text: "another person approves: \(approvers)"))
        guard let campaign else { return checks }
        let codes = Set(errors.map(\.code))
        func done(_ text: String, unless faults: CampaignFinding.Code...) {
            if codes.isDisjoint(with: faults) { checks.append(CheckView(tone: "good", word: "Done:", text: text)) }
        }
        done("the weights add up to 100\u{a0}%", unless: .weightsDoNotAddUp, .invalidWeight, .noVariants)
        if campaign.design.variants.contains(where: { !$0.isControl }) {
            done(
                "every offer is in the catalogue", unless: .unknownOffer, .unknownProduct, .offerOfAnotherProduct,
                .noIntroductoryOffer)
        }
        if campaign.design.variants.contains(where: \.isForComparison) {
            done("a control to compare with")
        } else {
            look("no variant is without an offer: the results cannot say what an offer is worth")
        }
        if campaign.audience != nil {
            done(
                "customers can fit the audience", unless: .deadCondition, .emptyGroup, .unknownValue, .operatorDoesNotFit,
                .wrongOperand)
        } else {
            look("it is for all customers")
        }
        done("the schedule lies ahead", unless: .emptySchedule, .pastSchedule)
        // Limits count promotional offers only.
        if campaign.design.variants.contains(where: { !$0.offers.isEmpty }) {
            if campaign.limits?.total == nil, campaign.limits?.perCustomer == nil {
                look("there is no limit, neither per customer nor in total")
            } else {
                done("there is a limit", unless: .invalidLimit)
            }
        }
        done("no customer gets two campaigns of one group", unless: .exclusionGroupOverlap)
        return checks
    }
}

extension CampaignVariant {
    /// Whether the variant shows what happens without an offer: it is a control, or it withholds the introductory offer.
    fileprivate var isForComparison: Bool { isControl || offers.isEmpty && introductoryOffer?.isAllowed == false }
}

/// A check before a campaign goes live.
struct CheckView: TemplateView {
    /// `good`, `warn` or `bad`.
    let tone: String
    /// The words before the text, such as `To fix:` or `Done:`; nil if there are none.
    let word: String?
    let text: String
}

/// The checks before a campaign goes live, for the template `checklist`.
struct ChecklistView: TemplateView {
    let checkTitle: String
    /// The number of checks that are done.
    let checkCount: String
    let checks: [CheckView]

    init(title: String, _ checks: [CheckView]) {
        checkTitle = title
        checkCount = "\(checks.count { $0.tone == "good" }) of \(checks.count) done"
        self.checks = checks
    }
}
