public import EligibilityRules

/// The sealed receipts for verification with the App Store: each subscription's latest, and unverified ones.
///
/// A subscription's receipt arrives with the `HistoryChange` that it led to.
public protocol ReceiptStore: Sendable {
    /// Stores a receipt that could not be verified, or replaces the same one. Beyond `limit` of an app, removes the oldest.
    func keep(_ receipt: UnverifiedReceipt, limit: Int) async throws(StoreError)

    /// Claims an app's due receipts, the longest due first. No other caller gets them before `until`.
    func claim(partition: AppPartition, dueAt now: Instant, until: Instant, limit: Int) async throws(StoreError)
        -> [ReceiptRecord]

    /// Notes why a verification failed, unless another receipt has replaced this one meanwhile.
    func note(_ failure: ReceiptFailure, of record: ReceiptRecord) async throws(StoreError)

    /// Removes a receipt.
    func remove(_ name: ReceiptName, partition: AppPartition) async throws(StoreError)

    /// Removes an app's receipts of the given subscriptions and customers. Returns how many there were.
    func forget(_ ids: Set<String>, partition: AppPartition) async throws(StoreError) -> Int

    /// Removes up to `limit` never verified receipts stored before an instant. Returns how many there were.
    func pruneUnverified(before instant: Instant, limit: Int) async throws(StoreError) -> Int

    /// The number of receipts, by app and by the reason of the last failure.
    func counts() async throws(StoreError) -> [ReceiptCount]

    /// The number of receipts sealed with each key, by the first `length` bytes of the sealed data.
    func counts(byPrefix length: Int) async throws(StoreError) -> [[UInt8]: Int]
}
