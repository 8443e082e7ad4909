extension PurchaseChain {
    /// The ids by which the App Store's data identify the customer.
    public struct Account: Hashable, Sendable {
        var appAccountToken: Stamped<ExactText>?
        var appTransactionID: String?

        /// Stores the given values without checking them.
        public init(appAccountToken: Stamped<ExactText>? = nil, appTransactionID: String? = nil) {
            self.appAccountToken = appAccountToken
            self.appTransactionID = appTransactionID
        }
    }

    /// When the chain began, and which subscription it replaced.
    public struct Beginning: Hashable, Sendable {
        var originallyPurchasedAt: Instant?
        var previousOriginalID: String?

        /// Stores the given values without checking them.
        public init(originallyPurchasedAt: Instant? = nil, previousOriginalID: String? = nil) {
            self.originallyPurchasedAt = originallyPurchasedAt
            self.previousOriginalID = previousOriginalID
        }
    }

    /// What the App Store has stated about the future: the next renewal, and win-back offers.
    public struct Outlook: Hashable, Sendable {
        var renewal: Stamped<RenewalState>?
        var winBackOffers: Stamped<OfferIDs>?

        /// Stores the given values without checking them.
        public init(renewal: Stamped<RenewalState>? = nil, winBackOffers: Stamped<OfferIDs>? = nil) {
            self.renewal = renewal
            self.winBackOffers = winBackOffers
        }
    }
}
