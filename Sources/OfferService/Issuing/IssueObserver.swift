package import EligibilityRules
package import OfferStore

/// Receives what was signed and what was refused, for the audit lines and the metrics: each once, when it is certain.
package protocol IssueObserver: Sendable {
    /// The signatures of one request are durable; its answer is about to be sent.
    func didSign(_ entry: LedgerEntry)

    /// One item was signed against the verdict of the rules, because the app only takes their advice.
    func didSign(against verdict: Verdict, partition: AppPartition)

    /// Campaigns have taken a customer who asked for what they give.
    func didAssign(_ assignments: [CampaignAssignment], partition: AppPartition)

    /// One item was refused.
    func didRefuse(_ refusal: UnsignedOffer)

    /// One override was not signed because the App Store needs none.
    func didFindUnneeded(_ item: UnsignedOffer)
}
