import OfferStore

/// Is told what was signed and what was refused, for the audit lines and the metrics.
protocol IssueObserver: Sendable {
    /// The signature's row is durable; the answer is about to leave.
    func didSign(_ entry: LedgerEntry)

    /// One item was refused.
    func didRefuse(_ item: SignatureRequest.Item, app: App, code: String)
}
