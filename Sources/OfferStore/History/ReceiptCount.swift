/// The number of an app's stored receipts with the same state.
public struct ReceiptCount: Hashable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// Why their last verification failed; nil if it did not.
    public let reason: String?
    /// The number of receipts.
    public let count: Int

    /// Takes the values as they are.
    public init(partition: AppPartition, reason: String?, count: Int) {
        self.partition = partition
        self.reason = reason
        self.count = count
    }
}
