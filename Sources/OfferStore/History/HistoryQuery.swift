/// A query for a customer's purchases. The result contains everything that belongs to the customer.
public struct HistoryQuery: Hashable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// The app's own id of the customer.
    public let customerID: String?
    /// The account token, a UUID in lower case.
    public let appAccountToken: String?
    /// Any transaction of the customer, original or not.
    public let transactionID: String?
    /// The Apple account, by its `appTransactionId` for the app.
    public let appTransactionID: String?
    /// Whether to return everything, including other purchases and past facts; otherwise only what can still decide about offers.
    public let isWhole: Bool

    /// Stores the given values without checking them.
    public init(
        partition: AppPartition,
        customerID: String? = nil,
        appAccountToken: String? = nil,
        transactionID: String? = nil,
        appTransactionID: String? = nil,
        isWhole: Bool = false
    ) {
        self.partition = partition
        self.customerID = customerID
        self.appAccountToken = appAccountToken
        self.transactionID = transactionID
        self.appTransactionID = appTransactionID
        self.isWhole = isWhole
    }

    /// The same query with `isWhole`.
    package var whole: HistoryQuery {
        HistoryQuery(
            partition: partition, customerID: customerID, appAccountToken: appAccountToken, transactionID: transactionID,
            appTransactionID: appTransactionID, isWhole: true)
    }

    /// The customer's id if the query names nothing else; nil otherwise.
    ///
    /// For such a query one row contains everything that decides about offers.
    package var customerAlone: String? {
        appAccountToken == nil && transactionID == nil && appTransactionID == nil ? customerID : nil
    }

    /// Returns the query with an alias replaced by its customer.
    package func renamed(_ customer: (String) throws -> String) rethrows -> HistoryQuery {
        HistoryQuery(
            partition: partition, customerID: try customerID.map(customer), appAccountToken: appAccountToken,
            transactionID: transactionID, appTransactionID: appTransactionID, isWhole: isWhole)
    }
}
