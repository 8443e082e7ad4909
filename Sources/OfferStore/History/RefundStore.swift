public import EligibilityRules

/// The App Store's refund requests with their answers, and the customers' consents to these.
///
/// A request arrives with the `HistoryChange` of its notification. It goes when the notification's content goes.
public protocol RefundStore: Sendable {
    /// Claims an app's due requests, the longest due first. No other caller gets them before `until`.
    func claim(partition: AppPartition, dueAt now: Instant, until: Instant, limit: Int) async throws(StoreError)
        -> [RefundRecord]

    /// Notes the progress of a request, unless it was settled meanwhile.
    func note(_ progress: RefundProgress, of record: RefundRecord) async throws(StoreError)

    /// An app's requests, the latest first.
    ///
    /// - Parameter transactionIDs: the ids of the purchase concerned; nil for all purchases.
    func requests(partition: AppPartition, transactionIDs: [String]?, limit: Int) async throws(StoreError) -> [RefundRecord]

    /// Stores a customer's consent, or its withdrawal, in place of the present one.
    func state(_ consent: ConsumptionConsent, of customerID: String, partition: AppPartition) async throws(StoreError)

    /// The latest consent under any of a customer's names; nil if none was ever stated. Of two at one instant the withdrawal counts.
    func consent(of names: [String], partition: AppPartition) async throws(StoreError) -> ConsumptionConsent?
}
