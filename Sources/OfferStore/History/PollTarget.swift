public import EligibilityRules

/// A subscription that the App Store is to be asked about again.
public struct PollTarget: Equatable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// Names the subscription.
    public let originalTransactionID: String
    /// Since when it is due.
    public let dueAt: Instant

    /// Takes the values as they are.
    public init(partition: AppPartition, originalTransactionID: String, dueAt: Instant) {
        self.partition = partition
        self.originalTransactionID = originalTransactionID
        self.dueAt = dueAt
    }
}
