/// What the Server API lists for a customer.
public struct TransactionHistory: Equatable, Sendable {
    /// JWS of each transaction, oldest change first; one can come again, changed.
    public let signedTransactions: [String]
    /// Where to go on next time; nil if there was no page.
    public let revision: String?
    /// Where the purchases were made.
    public let environment: AppStoreEnvironment
    /// Whether the list was read to its end.
    public let isComplete: Bool
}
