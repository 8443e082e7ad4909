public import EligibilityRules

/// The refused offers of a request, and the customer.
public struct LedgerRefusals: Equatable, Sendable {
    /// A refused offer.
    public struct Offer: Equatable, Sendable {
        /// Product id.
        public let productID: String
        /// The offer id; empty for an introductory offer.
        public let offerID: String
        /// The code of the first reason.
        public let reason: String
        /// The transaction that decided; nil for none.
        public let evidence: String?

        /// Takes the values as they are.
        public init(productID: String, offerID: String, reason: String, evidence: String?) {
            self.productID = productID
            self.offerID = offerID
            self.reason = reason
            self.evidence = evidence
        }
    }

    /// When the decision was made.
    public let refusedAt: Instant
    /// The app in an environment.
    public let partition: AppPartition
    /// Id of the caller's access key.
    public let caller: String
    /// The app's own id of the customer.
    public let customerID: String?
    /// Field 5 of the payload, had it been signed; nil for a JWS.
    public let applicationUsername: String?
    /// The App Store transaction id, if one was given for all offers.
    public let transactionID: String?
    /// Id of the request.
    public let requestID: String
    /// The address that sent the request; nil if not recorded.
    public let address: String?
    /// The refused offers, at least one.
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
