/// The subscriptions of a customer as the Server API states them.
public struct SubscriptionStatuses: Equatable, Sendable {
    /// One subscription and its latest transaction.
    public struct Item: Equatable, Sendable {
        /// Apple's `originalTransactionId`.
        public let originalTransactionID: String
        /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked. New ones are possible.
        public let status: Int64?
        /// JWS of the latest transaction.
        public let signedTransactionInfo: String?
        /// JWS of the renewal information.
        public let signedRenewalInfo: String?
    }

    /// The subscriptions of all groups.
    public let items: [Item]
    /// Where the purchases were made.
    public let environment: AppStoreEnvironment
}
