/// Whose purchases are asked for. Of what is given, everything that belongs to the same customer is found.
public struct HistoryQuery: Hashable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// The app's own id of the customer.
    public let customerID: String?
    /// A UUID in lower case.
    public let appAccountToken: String?
    /// Any transaction of the customer's, original or not.
    public let transactionID: String?
    /// The Apple account, by its `appTransactionId` for the app.
    public let appTransactionID: String?
    /// Whether all that is known is asked for, other purchases and what no longer decides included; else what decides from now on.
    public let isWhole: Bool

    /// Takes the values as they are.
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

    /// The same, for all that is known.
    package var whole: HistoryQuery {
        HistoryQuery(
            partition: partition, customerID: customerID, appAccountToken: appAccountToken, transactionID: transactionID,
            appTransactionID: appTransactionID, isWhole: true)
    }

    /// The customer where nothing else is given: all that decides about them stands in one place.
    package var customerAlone: String? {
        appAccountToken == nil && transactionID == nil && appTransactionID == nil ? customerID : nil
    }

    /// The same with the customer whom the name stands for.
    package func renamed(_ customer: (String) throws -> String) rethrows -> HistoryQuery {
        HistoryQuery(
            partition: partition, customerID: try customerID.map(customer), appAccountToken: appAccountToken,
            transactionID: transactionID, appTransactionID: appTransactionID, isWhole: isWhole)
    }
}
