extension ServerAPI {
    /// Returns the subscriptions of the customer who made a transaction.
    ///
    /// - Parameters:
    ///   - transactionID: any transaction id of the customer.
    ///   - home: the environment that the transaction is known or assumed to belong to.
    package func subscriptions(
        of transactionID: String,
        in home: AppStoreEnvironment
    ) async throws(AppStoreError) -> SubscriptionStatuses {
        let id = try URLText.transactionID(transactionID)
        return try await ask(about: home) { host throws(AppStoreError) in
            let answer = try await ask(host, .get, "/inApps/v1/subscriptions/\(id)")
            let items = answer.objects("data").flatMap { $0.objects("lastTransactions") }
            return SubscriptionStatuses(
                items: items.compactMap(SubscriptionStatuses.Item.init),
                environment: answer.environment ?? host.environment
            )
        }
    }
}

extension SubscriptionStatuses.Item {
    /// Returns nil if the object has no original transaction id.
    fileprivate init?(_ object: AppleObject) {
        guard let originalTransactionID = object.text("originalTransactionId") else { return nil }
        self.init(
            originalTransactionID: originalTransactionID,
            status: object.code("status"),
            signedTransactionInfo: object.text("signedTransactionInfo"),
            signedRenewalInfo: object.text("signedRenewalInfo")
        )
    }
}

/// The subscriptions of a customer, as the Server API lists them.
public struct SubscriptionStatuses: Equatable, Sendable {
    /// One subscription and its latest transaction.
    public struct Item: Equatable, Sendable {
        /// Apple's `originalTransactionId`.
        public let originalTransactionID: String
        /// Apple's number for the state: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked. Apple may add others.
        public let status: Int64?
        /// The JWS of the latest transaction.
        public let signedTransactionInfo: String?
        /// The JWS of the renewal information.
        public let signedRenewalInfo: String?
    }

    /// The customer's subscriptions in all subscription groups of the app.
    public let items: [Item]
    /// The environment in which the purchases were made.
    public let environment: AppStoreEnvironment
}
