/// The request that the ledger's signatures and refusals belong to, and the customer whom it names.
public struct LedgerRequest: Equatable, Sendable {
    /// Id of the request.
    public let id: String
    /// Id of the caller's access key.
    public let caller: String
    /// The address that sent the request; nil if not recorded.
    public let address: String?
    /// The app's own id of the customer.
    public let customerID: String?
    /// Field 5 of the payload that was signed or, after a refusal, would have been; nil for a JWS.
    public let applicationUsername: String?
    /// The App Store transaction id, if one was given for all offers.
    ///
    /// If neither that nor a customer was given, it is the id of the Apple account, or that of the purchase in the request.
    public let transactionID: String?

    /// Stores the given values without checking them.
    public init(
        id: String,
        caller: String,
        address: String? = nil,
        customerID: String? = nil,
        applicationUsername: String? = nil,
        transactionID: String? = nil
    ) {
        self.id = id
        self.caller = caller
        self.address = address
        self.customerID = customerID
        self.applicationUsername = applicationUsername
        self.transactionID = transactionID
    }
}
