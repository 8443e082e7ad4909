/// A stored refund request.
public struct RefundRecord: Equatable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// The App Store's question.
    public let request: RefundRequest
    /// How far the answer has come.
    public let progress: RefundProgress

    /// Takes the values as they are.
    public init(partition: AppPartition, request: RefundRequest, progress: RefundProgress) {
        self.partition = partition
        self.request = request
        self.progress = progress
    }
}
