package import EligibilityRules
package import OfferStore

/// Receives what was signed and what was refused, for the audit lines and the metrics. Each outcome comes once, when it is
/// certain.
package protocol IssueObserver: Sendable {
    /// The signatures of one request are durable; its answer is about to be sent.
    func didSign(_ entry: LedgerEntry)

    /// One item was signed although the verdict was against it, because the app is set to `advise`.
    func didSign(against verdict: Verdict, partition: AppPartition)

    /// Campaigns have taken a customer whose request asked for campaigns.
    func didAssign(_ assignments: [CampaignAssignment], partition: AppPartition)

    /// One item was refused.
    func didRefuse(_ refusal: UnsignedOffer)

    /// One override was not signed, because the App Store grants the offer without it.
    func didFindUnneeded(_ item: UnsignedOffer)
}
