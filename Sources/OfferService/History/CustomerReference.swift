import OfferStore

/// The customer whom a request is about: the names that the request gives, and the purchases that it shows.
package struct CustomerReference: Sendable {
    /// The app's own id of the customer.
    package private(set) var customerID: String?
    /// The account token, a UUID in lower case.
    package private(set) var appAccountToken: String?
    /// The id of any transaction of the customer, whether it is an original one or not.
    package private(set) var transactionID: String?
    /// The `appTransactionId`, which identifies the Apple account.
    package private(set) var appTransactionID: String?
    /// The `appTransactionId` of the Apple account, if a token or an AppTransaction proves it.
    private(set) var provenAppTransactionID: String?
    /// StoreKit 2 transactions (JWS) that the client sends along.
    let signedTransactions: [String]
    /// The AppTransaction (JWS) of StoreKit that the client sends along; nil if it sends none.
    let signedAppTransaction: String?

    package init(
        customerID: String? = nil,
        appAccountToken: String? = nil,
        transactionID: String? = nil,
        appTransactionID: String? = nil,
        signedTransactions: [String] = [],
        signedAppTransaction: String? = nil
    ) {
        self.customerID = customerID
        self.appAccountToken = appAccountToken
        self.transactionID = transactionID
        self.appTransactionID = appTransactionID
        self.signedTransactions = signedTransactions
        self.signedAppTransaction = signedAppTransaction
    }

    /// The names that the request gives. The one that says most about the customer comes first.
    var names: [String] { [customerID, appAccountToken, transactionID, appTransactionID].compactMap(\.self) }

    /// The names that stand for an Apple account: a transaction, or the account itself.
    var accountNames: [String] { [transactionID, appTransactionID].compactMap(\.self) }

    /// The reference as this caller may use it. An end user may use only the names that the token proves.
    ///
    /// Throws if an end user names another customer.
    func asked(by caller: Caller) throws(EndUserRefusal) -> CustomerReference {
        guard let endUser = caller.endUser else { return self }
        if transactionID != nil { throw .naming("transactionId") }
        if appTransactionID != nil { throw .naming("appTransactionId") }
        guard appAccountToken == nil || appAccountToken == endUser.accountToken else { throw .naming("appAccountToken") }
        return naming(endUser)
    }

    /// The reference with no names but those that the end user's token proves.
    func naming(_ endUser: EndUser) -> CustomerReference {
        let reference = CustomerReference(
            customerID: endUser.customerID, appAccountToken: endUser.accountToken, signedTransactions: signedTransactions,
            signedAppTransaction: signedAppTransaction)
        return endUser.appTransactionID.map { reference.proving(appTransactionID: $0) } ?? reference
    }

    /// The same reference, with the Apple account that a token or an AppTransaction proves.
    func proving(appTransactionID: String) -> CustomerReference {
        var reference = self
        reference.appTransactionID = appTransactionID
        reference.provenAppTransactionID = appTransactionID
        return reference
    }

    /// The same reference with this transaction id.
    func naming(transactionID: String) -> CustomerReference {
        var reference = self
        reference.transactionID = transactionID
        return reference
    }

    /// The same reference with this account token.
    func naming(accountToken: String) -> CustomerReference {
        var reference = self
        reference.appAccountToken = accountToken
        return reference
    }

    /// The query for the customer's purchases; nil if neither the reference nor the signed transactions name a customer.
    ///
    /// - Parameters:
    ///   - isWhole: whether to read all that is stored. Otherwise only the part is read that decides about offers.
    ///   - shown: what the signed transactions have shown. It is used where the reference gives no such name.
    func query(in partition: AppPartition, isWhole: Bool = false, _ shown: ShownPurchase? = nil) -> HistoryQuery? {
        let transactionID = transactionID ?? shown?.transactionID
        let appTransactionID = appTransactionID ?? shown?.appTransactionID
        guard customerID != nil || appAccountToken != nil || transactionID != nil || appTransactionID != nil else { return nil }
        return HistoryQuery(
            partition: partition, customerID: customerID, appAccountToken: appAccountToken, transactionID: transactionID,
            appTransactionID: appTransactionID, isWhole: isWhole)
    }
}
