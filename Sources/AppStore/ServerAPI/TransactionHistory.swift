/// The transactions of a customer, as the Server API lists them.
public struct TransactionHistory: Equatable, Sendable {
    /// The JWS of each transaction, the oldest change first. A transaction that has changed can occur again.
    public let signedTransactions: [String]
    /// Where the next list continues; nil if there was no page.
    public let revision: String?
    /// Where the purchases were made.
    public let environment: AppStoreEnvironment
    /// Whether the list was read to its end.
    public let isComplete: Bool
}
