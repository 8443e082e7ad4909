/// What is known of a purchase when a customer asks for the money back.
public struct RefundCase: Sendable {
    /// Product id.
    public let productID: String
    /// Nil when no source says.
    public let kind: ProductKind?
    /// When it was bought; for a renewal, the beginning of the period.
    public let purchasedAt: Instant
    /// When the App Store asked.
    public let requestedAt: Instant
    /// The share of the period that was over, in thousandths of a percent; nil if there is no period.
    public let consumedShare: Int?
    /// The number of offers that the customer has redeemed in the app, other than introductory ones.
    public let offersRedeemed: Int

    /// Takes the values as they are.
    public init(
        productID: String,
        kind: ProductKind?,
        purchasedAt: Instant,
        requestedAt: Instant,
        consumedShare: Int?,
        offersRedeemed: Int
    ) {
        self.productID = productID
        self.kind = kind
        self.purchasedAt = purchasedAt
        self.requestedAt = requestedAt
        self.consumedShare = consumedShare
        self.offersRedeemed = offersRedeemed
    }

    /// Computes the values from a purchase.
    public init(_ transaction: PurchaseTransaction, offersRedeemed: Int, requestedAt: Instant) {
        self.init(
            productID: transaction.productID, kind: transaction.kind, purchasedAt: transaction.purchasedAt,
            requestedAt: requestedAt, consumedShare: transaction.consumedShare(at: requestedAt),
            offersRedeemed: offersRedeemed)
    }
}

extension PurchaseTransaction {
    /// The share of the period that is over, in thousandths of a percent, rounded down; nil if it has none.
    fileprivate func consumedShare(at now: Instant) -> Int? {
        guard let end = expiry?.value, end > purchasedAt else { return nil }
        let length = end.milliseconds(since: purchasedAt)
        let used = min(max(0, now.milliseconds(since: purchasedAt)), length)
        let (product, overflow) = used.multipliedReportingOverflow(by: Int64(RefundAnswer.whole))
        return overflow ? nil : Int(product / length)
    }
}
