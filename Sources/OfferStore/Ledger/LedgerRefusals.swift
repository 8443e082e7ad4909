public import EligibilityRules

/// The refused offers of a request.
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
    /// The request that asked for them.
    public let request: LedgerRequest
    /// The refused offers, at least one.
    public let offers: [Offer]

    /// Takes the values as they are.
    public init(
        refusedAt: Instant,
        partition: AppPartition,
        request: LedgerRequest,
        offers: [Offer]
    ) {
        precondition(!offers.isEmpty)
        self.refusedAt = refusedAt
        self.partition = partition
        self.request = request
        self.offers = offers
    }
}
