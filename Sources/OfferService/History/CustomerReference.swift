import OfferStore

/// The customer of a request: by names, and by the purchases that the request shows.
package struct CustomerReference: Sendable {
    /// The app's own id.
    package private(set) var customerID: String?
    /// A UUID in lower case.
    package private(set) var appAccountToken: String?
    /// Any transaction of the customer's, original or not.
    package private(set) var transactionID: String?
    /// The Apple account, by its `appTransactionId`.
    package private(set) var appTransactionID: String?
    /// StoreKit 2 transactions (JWS) that the client sends along.
    let signedTransactions: [String]

    package init(
        customerID: String? = nil,
        appAccountToken: String? = nil,
        transactionID: String? = nil,
        appTransactionID: String? = nil,
        signedTransactions: [String] = []
    ) {
        self.customerID = customerID
        self.appAccountToken = appAccountToken
        self.transactionID = transactionID
        self.appTransactionID = appTransactionID
        self.signedTransactions = signedTransactions
    }

    /// The given names, the most telling one first.
    var names: [String] { [customerID, appAccountToken, transactionID, appTransactionID].compactMap(\.self) }

    /// The reference as this caller may use it: for an end user only with the user's own names.
    ///
    /// Throws if it names another customer.
    func asked(by caller: Caller) throws(EndUserRefusal) -> CustomerReference {
        guard let endUser = caller.endUser else { return self }
        if transactionID != nil { throw .naming("transactionId") }
        if appTransactionID != nil { throw .naming("appTransactionId") }
        guard appAccountToken == nil || appAccountToken == endUser.accountToken else { throw .naming("appAccountToken") }
        return naming(endUser)
    }

    /// The reference with an end user's own names only.
    func naming(_ endUser: EndUser) -> CustomerReference {
        CustomerReference(
            customerID: endUser.customerID, appAccountToken: endUser.accountToken, signedTransactions: signedTransactions)
    }

    /// The reference with another transaction.
    func naming(transactionID: String) -> CustomerReference {
        var reference = self
        reference.transactionID = transactionID
        return reference
    }

    /// The reference with another account token.
    func naming(accountToken: String) -> CustomerReference {
        var reference = self
        reference.appAccountToken = accountToken
        return reference
    }

    /// The query for the customer's purchases; nil if the reference has no name.
    ///
    /// - Parameters:
    ///   - isWhole: whether to ask for all that is known; otherwise for what decides about offers.
    ///   - shown: what the signed transactions have shown; a name takes precedence.
    func query(in partition: AppPartition, isWhole: Bool = false, _ shown: ShownPurchase? = nil) -> HistoryQuery? {
        let transactionID = transactionID ?? shown?.transactionID
        let appTransactionID = appTransactionID ?? shown?.appTransactionID
        guard customerID != nil || appAccountToken != nil || transactionID != nil || appTransactionID != nil else { return nil }
        return HistoryQuery(
            partition: partition, customerID: customerID, appAccountToken: appAccountToken, transactionID: transactionID,
            appTransactionID: appTransactionID, isWhole: isWhole)
    }
}
