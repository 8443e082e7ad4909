/// An offer that a customer has redeemed, except an introductory offer.
public struct RedemptionFact: Sendable {
    /// The signature with which the offer was redeemed.
    public struct Signature: Sendable {
        /// The signed nonce: a UUID in lower case.
        public let nonce: String
        /// When the signature was made.
        public let signedAt: Instant
        /// The id of the signing key.
        public let keyID: String

        /// Stores the given values without checking them.
        public init(nonce: String, signedAt: Instant, keyID: String) {
            self.nonce = nonce
            self.signedAt = signedAt
            self.keyID = keyID
        }
    }

    /// The offer.
    public let offer: RedeemedOffer
    /// The purchase that redeemed the offer; for a subscription, the first period with the offer.
    public let transaction: PurchaseTransaction
    /// The subscription group of the purchase; nil if it is unknown, or if the purchase is not a subscription.
    public let groupID: String?
    /// How many periods so far carry the offer because of this redemption.
    public internal(set) var periods: Int
    /// The signature with which the offer was redeemed; nil if none is known.
    ///
    /// Only promotional offers need one.
    public var signature: Signature?
}

extension PurchaseChain {
    /// Returns the offers that the customer redeemed with purchases of this chain, except introductory offers.
    ///
    /// Successive periods of the same product with the same offer are one redemption. If the catalogue has the offer, one
    /// redemption covers at most as many periods as the offer has instalments. If there was a gap or a refund before a period,
    /// it belongs to the earlier redemption only if the App Store calls it a renewal.
    public func redemptions(in catalogue: Catalogue) -> [(first: PurchaseTransaction, offer: RedeemedOffer, periods: Int)] {
        var found: [(first: PurchaseTransaction, offer: RedeemedOffer, periods: Int)] = []
        var previous: PurchaseTransaction?
        for transaction in withWholePeriods.transactions where transaction.isOwn {
            guard let offer = transaction.offer, offer.kind != .introductory else {
                previous = nil
                continue
            }
            if let previous, let last = found.last, last.offer == offer, transaction.expiry != nil,
                transaction.isRenewal || transaction.isRightAfter(previous),
                ExactText(last.first.productID) == ExactText(transaction.productID),
                catalogue.instalments(of: transaction).map({ last.periods < $0 }) ?? true
            {
                found[found.count - 1].periods += 1
            } else {
                found.append((transaction, offer, 1))
            }
            previous = transaction
        }
        return found
    }
}

extension PurchaseTransaction {
    /// Whether the period begins before another one ends, or at most `ServiceTime.tolerance` after that.
    ///
    /// A refund ends a period, too.
    fileprivate func isRightAfter(_ other: PurchaseTransaction) -> Bool {
        guard let expiry = other.expiry?.value else { return false }
        return purchasedAt <= min(expiry, other.revokedAt ?? expiry).advanced(by: ServiceTime.tolerance)
    }
}

extension Catalogue {
    /// Returns how many periods one redemption of a transaction's offer covers.
    ///
    /// Nil if the catalogue does not have the offer, or if it is not a promotional offer.
    fileprivate func instalments(of transaction: PurchaseTransaction) -> Int? {
        guard let offer = transaction.offer, offer.kind == .promotional, let id = offer.id,
            let product = product(transaction.productID)
        else { return nil }
        return product.promotionalOffers[ExactText(id)].map {
            $0.instalments(ofProductPeriod: $0.billingPlan == .monthly ? "P1M" : product.period)
        }
    }
}
