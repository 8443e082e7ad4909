public import EligibilityRules

/// A subscription to poll the App Store about.
public struct PollTarget: Equatable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// Identifies the subscription.
    public let originalTransactionID: String
    /// Since when the poll is due.
    public let dueAt: Instant

    /// Takes the values as they are.
    public init(partition: AppPartition, originalTransactionID: String, dueAt: Instant) {
        self.partition = partition
        self.originalTransactionID = originalTransactionID
        self.dueAt = dueAt
    }
}
