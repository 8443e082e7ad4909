public import EligibilityRules

/// The receipts that the App Store is asked with, sealed: of each subscription the latest, and those not verified yet.
///
/// A subscription's receipt comes with the `HistoryChange` that brings what it shows.
public protocol ReceiptStore: Sendable {
    /// Keeps a receipt that could not be verified, in place of the same one; of so many of an app the oldest go.
    func keep(_ receipt: UnverifiedReceipt, limit: Int) async throws(StoreError)

    /// Takes receipts of an app that are due, the longest due first; until an instant nobody else is given them.
    func claim(partition: AppPartition, dueAt now: Instant, until: Instant, limit: Int) async throws(StoreError)
        -> [ReceiptRecord]

    /// Notes why a question brought nothing, unless another receipt has taken this one's place meanwhile.
    func note(_ failure: ReceiptFailure, of record: ReceiptRecord) async throws(StoreError)

    /// Removes one.
    func remove(_ name: ReceiptName, partition: AppPartition) async throws(StoreError)

    /// Removes an app's receipts of some subscriptions and customers. Returns how many there were.
    func forget(_ ids: Set<String>, partition: AppPartition) async throws(StoreError) -> Int

    /// Removes receipts that were never verified and came before an instant, so many at most. Returns how many there were.
    func pruneUnverified(before instant: Instant, limit: Int) async throws(StoreError) -> Int

    /// How many there are, by app and by what was last said of them.
    func counts() async throws(StoreError) -> [ReceiptCount]

    /// How many each key has sealed, by the first `length` bytes of what is sealed.
    func counts(byPrefix length: Int) async throws(StoreError) -> [[UInt8]: Int]
}
