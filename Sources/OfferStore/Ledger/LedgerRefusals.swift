public import EligibilityRules

/// The offers of one request that were refused, and to whom.
public struct LedgerRefusals: Equatable, Sendable {
    /// One of them.
    public struct Offer: Equatable, Sendable {
        /// Product id.
        public let productID: String
        /// Empty for an introductory offer.
        public let offerID: String
        /// Why: the code of the first reason.
        public let reason: String
        /// The transaction that decided, if one did.
        public let evidence: String?

        /// Takes the values as they are.
        public init(productID: String, offerID: String, reason: String, evidence: String?) {
            self.productID = productID
            self.offerID = offerID
            self.reason = reason
            self.evidence = evidence
        }
    }

    /// When it was decided.
    public let refusedAt: Instant
    /// The app in an environment.
    public let partition: AppPartition
    /// Id of the access key that asked.
    public let caller: String
    /// The app's own id of the customer.
    public let customerID: String?
    /// Field 5 as it would have been signed; nil in a JWS.
    public let applicationUsername: String?
    /// App Store transaction id, if one was given for all of them.
    public let transactionID: String?
    /// Id of the request that asked.
    public let requestID: String
    /// From where it was asked; nil where that was not recorded.
    public let address: String?
    /// At least one.
    public let offers: [Offer]

    /// Takes the values as they are.
    public init(
        refusedAt: Instant,
        partition: AppPartition,
        caller: String,
        customerID: String?,
        applicationUsername: String?,
        transactionID: String?,
        requestID: String,
        address: String? = nil,
        offers: [Offer]
    ) {
        precondition(!offers.isEmpty)
        self.refusedAt = refusedAt
        self.partition = partition
        self.caller = caller
        self.customerID = customerID
        self.applicationUsername = applicationUsername
        self.transactionID = transactionID
        self.requestID = requestID
        self.address = address
        self.offers = offers
    }
}
