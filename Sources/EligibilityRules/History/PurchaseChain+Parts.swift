extension PurchaseChain {
    /// The customer, as the App Store knows them.
    public struct Account: Hashable, Sendable {
        var appAccountToken: Stamped<ExactText>?
        var appTransactionID: String?

        /// Takes the values as they are.
        public init(appAccountToken: Stamped<ExactText>? = nil, appTransactionID: String? = nil) {
            self.appAccountToken = appAccountToken
            self.appTransactionID = appTransactionID
        }
    }

    /// How it began.
    public struct Beginning: Hashable, Sendable {
        var originallyPurchasedAt: Instant?
        var previousOriginalID: String?

        /// Takes the values as they are.
        public init(originallyPurchasedAt: Instant? = nil, previousOriginalID: String? = nil) {
            self.originallyPurchasedAt = originallyPurchasedAt
            self.previousOriginalID = previousOriginalID
        }
    }

    /// How it goes on.
    public struct Outlook: Hashable, Sendable {
        var renewal: Stamped<RenewalState>?
        var winBackOffers: Stamped<OfferIDs>?

        /// Takes the values as they are.
        public init(renewal: Stamped<RenewalState>? = nil, winBackOffers: Stamped<OfferIDs>? = nil) {
            self.renewal = renewal
            self.winBackOffers = winBackOffers
        }
    }
}
