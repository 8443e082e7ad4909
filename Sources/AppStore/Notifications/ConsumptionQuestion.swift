/// The purchase whose consumption a notification (`CONSUMPTION_REQUEST`) asks about. Its signature has been verified.
public struct ConsumptionQuestion: Equatable, Sendable {
    /// Apple's `transactionId`.
    public let transactionID: String
    /// Apple's `originalTransactionId`.
    public let originalTransactionID: String
    /// Product id.
    public let productID: String
    /// Why the customer wants a refund: Apple's `consumptionRequestReason`. New ones appear.
    public let reason: String?
    /// Whether it belongs to the Advanced Commerce API, whose purchases need another kind of answer.
    public let isAdvancedCommerce: Bool
}
