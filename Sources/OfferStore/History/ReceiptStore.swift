public import EligibilityRules

/// The sealed receipts for verification with the App Store: each subscription's latest, and unverified ones.
///
/// A subscription's receipt arrives with the `HistoryChange` that it led to.
public protocol ReceiptStore: Sendable {
    /// Stores a receipt that could not be verified, or replaces the same one.
    ///
    /// If the app then has more than `limit` unverified receipts, the oldest are removed.
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

/// The number of an app's stored receipts with the same state.
public struct ReceiptCount: Hashable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// Why their last verification failed; nil if it did not.
    public let reason: String?
    /// The number of receipts.
    public let count: Int

    /// Stores the given values without checking them.
    public init(partition: AppPartition, reason: String?, count: Int) {
        self.partition = partition
        self.reason = reason
        self.count = count
    }
}

/// A sealed receipt to be stored that the App Store has not verified.
public struct UnverifiedReceipt: Equatable, Sendable {
    /// The app that the source names.
    public let partition: AppPartition
    /// SHA-256 of the receipt.
    public let digest: [UInt8]
    /// The customer that the source names; nil for none.
    public let customerID: String?
    /// The encrypted receipt. Only a holder of the secret can decrypt it.
    public let sealed: [UInt8]
    /// When it was received.
    public let keptAt: Instant
    /// A stable code for why it is not verified.
    public let reason: String
    /// When to verify it next; nil for never.
    public let dueAt: Instant?

    /// Stores the given values without checking them.
    public init(
        partition: AppPartition,
        digest: [UInt8],
        customerID: String?,
        sealed: [UInt8],
        keptAt: Instant,
        reason: String,
        dueAt: Instant?
    ) {
        self.partition = partition
        self.digest = digest
        self.customerID = customerID
        self.sealed = sealed
        self.keptAt = keptAt
        self.reason = reason
        self.dueAt = dueAt
    }
}
