/// One purchase or one period of a subscription, as far as any source has shown it.
public struct PurchaseTransaction: Hashable, Sendable {
    /// Apple's `transactionId`.
    public let id: String
    /// Product id.
    public let productID: String
    /// Apple's `purchaseDate`: for a renewal, when the period begins.
    public let purchasedAt: Instant
    /// Nil when no source says.
    public var kind: ProductKind?
    /// Nil when no source says: then it counts as purchased.
    public var ownership: Ownership?
    /// The offer it was bought with; nil when none is known.
    public var offer: RedeemedOffer?
    /// Whether a later purchase of a higher level has replaced it.
    public var isUpgraded: Bool
    /// End of the period, which can be extended; nil for purchases that have none.
    public var expiry: Stamped<Instant>?
    /// Whether it was taken back; nil when no source says.
    public var revocation: Stamped<Revocation>?

    /// Takes the values as they are.
    public init(
        id: String,
        productID: String,
        purchasedAt: Instant,
        kind: ProductKind? = nil,
        ownership: Ownership? = nil,
        offer: RedeemedOffer? = nil,
        isUpgraded: Bool = false,
        expiry: Stamped<Instant>? = nil,
        revocation: Stamped<Revocation>? = nil
    ) {
        self.id = id
        self.productID = productID
        self.purchasedAt = purchasedAt
        self.kind = kind
        self.ownership = ownership
        self.offer = offer
        self.isUpgraded = isUpgraded
        self.expiry = expiry
        self.revocation = revocation
    }

    /// Everything that both statements about the same transaction say together.
    ///
    /// Independent of order, and of how often either has been merged before. What cannot change (product, purchase date)
    /// is taken from both alike; what can (expiry, revocation) from the later statement.
    public func merged(with other: PurchaseTransaction) -> PurchaseTransaction {
        PurchaseTransaction(
            id: id,
            productID: TextOrder.precedes(productID, other.productID) ? other.productID : productID,
            purchasedAt: min(purchasedAt, other.purchasedAt),
            kind: kind.greater(other.kind),
            ownership: ownership.greater(other.ownership),
            offer: offer.greater(other.offer),
            isUpgraded: isUpgraded || other.isUpgraded,
            expiry: expiry.merged(with: other.expiry),
            revocation: revocation.merged(with: other.revocation)
        )
    }

    /// Whether a family member bought it.
    public var isFamilyShared: Bool { ownership == .familyShared }

    /// Whether it is a period of an auto-renewable subscription: as the App Store says, or else because it ends.
    var isSubscriptionPeriod: Bool { expiry != nil && (kind == nil || kind == .autoRenewableSubscription) }

    /// Whether it began after another; at the same instant an upgraded one is the older.
    func isNewer(than other: PurchaseTransaction) -> Bool {
        if purchasedAt != other.purchasedAt { return purchasedAt > other.purchasedAt }
        if isUpgraded != other.isUpgraded { return !isUpgraded }
        return TextOrder.precedes(other.id, id)
    }

    /// When it was taken back; an upgrade, which old receipts show as a cancellation, does not count.
    public var revokedAt: Instant? { isUpgraded ? nil : revocation?.value.instant }
}
