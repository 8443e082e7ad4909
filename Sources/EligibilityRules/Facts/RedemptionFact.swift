/// An offer that a customer has redeemed, except an introductory offer.
public struct RedemptionFact: Sendable {
    /// The signature that allowed it.
    public struct Signature: Sendable {
        /// The nonce as it was signed: a UUID in lower case.
        public let nonce: String
        /// When it was signed.
        public let signedAt: Instant
        /// The id of the signing key.
        public let keyID: String

        /// Takes the values as they are.
        public init(nonce: String, signedAt: Instant, keyID: String) {
            self.nonce = nonce
            self.signedAt = signedAt
            self.keyID = keyID
        }
    }

    /// The offer.
    public let offer: RedeemedOffer
    /// The purchase, or the first of its periods.
    public let transaction: PurchaseTransaction
    /// Its subscription group; nil if unknown, or if it is not a subscription.
    public let groupID: String?
    /// The number of periods that it has paid for so far.
    public internal(set) var periods: Int
    /// Nil if none is known. Offers of other kinds need none.
    public var signature: Signature?
}

extension PurchaseChain {
    /// Returns the offers that the customer's own purchases redeemed, with the periods that they paid for.
    ///
    /// Successive periods of the same product with the same offer are one redemption, up to the number that the catalogue gives.
    /// All of them are one if the catalogue lacks the offer. After a gap or a refund only a renewal continues it.
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
    /// Whether it begins before or when another period ends. A refund ends a period, too.
    fileprivate func isRightAfter(_ other: PurchaseTransaction) -> Bool {
        guard let expiry = other.expiry?.value else { return false }
        return purchasedAt <= min(expiry, other.revokedAt ?? expiry).advanced(by: ServiceTime.tolerance)
    }
}

extension Catalogue {
    /// Returns how many periods a transaction's promotional offer pays for; nil if the catalogue lacks the offer.
    fileprivate func instalments(of transaction: PurchaseTransaction) -> Int? {
        guard let offer = transaction.offer, offer.kind == .promotional, let id = offer.id,
            let product = product(transaction.productID)
        else { return nil }
        return product.promotionalOffers[ExactText(id)]?.instalments(ofProductPeriod: product.period)
    }
}
