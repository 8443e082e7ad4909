extension PurchaseTransaction {
    /// The line item of the order, the offer and the price.
    public struct Terms: Hashable, Sendable {
        var lineItemID: String?
        var offer: RedeemedOffer?
        var sale: Sale?

        /// Stores the given values without checking them.
        public init(lineItemID: String? = nil, offer: RedeemedOffer? = nil, sale: Sale? = nil) {
            self.lineItemID = lineItemID
            self.offer = offer
            self.sale = sale
        }
    }

    /// How the transaction relates to others of the same subscription.
    ///
    /// Merging keeps a flag that either side has: no source reports that a period was *not* upgraded.
    public struct Course: Hashable, Sendable {
        var isUpgraded: Bool
        var isRenewal: Bool
        var sharesPeriod: Bool

        /// Stores the given values without checking them.
        public init(isUpgraded: Bool = false, isRenewal: Bool = false, sharesPeriod: Bool = false) {
            self.isUpgraded = isUpgraded
            self.isRenewal = isRenewal
            self.sharesPeriod = sharesPeriod
        }
    }

    /// What can change after the purchase.
    ///
    /// Merging keeps the later statement of each value.
    public struct State: Hashable, Sendable {
        var expiry: Stamped<Instant>?
        var revocation: Stamped<Revocation>?
        var cancellation: Stamped<Instant>?
        var reversal: Stamp?
        var particulars: Stamped<Particulars>?

        /// Stores the given values without checking them.
        public init(
            expiry: Stamped<Instant>? = nil,
            revocation: Stamped<Revocation>? = nil,
            cancellation: Stamped<Instant>? = nil,
            reversal: Stamp? = nil,
            particulars: Stamped<Particulars>? = nil
        ) {
            self.expiry = expiry
            self.revocation = revocation
            self.cancellation = cancellation
            self.reversal = reversal
            self.particulars = particulars
        }
    }
}
