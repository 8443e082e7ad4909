/// How many kept receipts of an app stand alike.
public struct ReceiptCount: Hashable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// Why the last question about them was not answered; nil if it was.
    public let reason: String?
    /// How many they are.
    public let count: Int

    /// Takes the values as they are.
    public init(partition: AppPartition, reason: String?, count: Int) {
        self.partition = partition
        self.reason = reason
        self.count = count
    }
}
