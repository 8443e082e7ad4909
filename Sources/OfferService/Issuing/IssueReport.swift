import EligibilityRules
import OfferStore

/// What the observer receives about a request besides its signatures, once the answer is certain.
struct IssueReport {
    let partition: AppPartition
    var refusals: [UnsignedOffer] = []
    /// Overrides that the App Store does not need.
    var unneeded: [UnsignedOffer] = []
    /// The verdicts that the app takes only as advice, and that its signatures contradict.
    var contradicted: [Verdict] = []

    /// The campaigns that have taken the customer.
    var assignments: [CampaignAssignment] = []

    /// Notifies the observer.
    func notify(_ observer: any IssueObserver) {
        if !assignments.isEmpty { observer.didAssign(assignments, partition: partition) }
        for refusal in refusals { observer.didRefuse(refusal) }
        for item in unneeded { observer.didFindUnneeded(item) }
        for verdict in contradicted { observer.didSign(against: verdict, partition: partition) }
    }
}
