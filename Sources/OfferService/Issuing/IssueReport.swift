import EligibilityRules
import OfferStore

/// What is to be told of a request besides its signatures, once its answer is certain.
struct IssueReport {
    let partition: AppPartition
    var refusals: [UnsignedOffer] = []
    /// Overrides that the App Store does not need.
    var unneeded: [UnsignedOffer] = []
    /// The verdicts that the app only takes as advice, and that its signatures went against.
    var contradicted: [Verdict] = []

    /// The campaigns that have taken the customer.
    var assignments: [CampaignAssignment] = []

    /// Tells it.
    func notify(_ observer: any IssueObserver) {
        if !assignments.isEmpty { observer.didAssign(assignments, partition: partition) }
        for refusal in refusals { observer.didRefuse(refusal) }
        for item in unneeded { observer.didFindUnneeded(item) }
        for verdict in contradicted { observer.didSign(against: verdict, partition: partition) }
    }
}
