/// The consumption information that answers a refund request (docs/refunds.md).
public struct RefundAnswer: Hashable, Sendable {
    /// The whole, in thousandths of a percent.
    public static let whole = 100_000

    /// Nil: none is stated.
    public let preference: RefundPreference?
    /// Whether the purchase was delivered.
    public let deliveryStatus: DeliveryStatus
    /// Whether the customer could try the content before the purchase.
    public let sampleContentProvided: Bool
    /// The consumed share, in thousandths of a percent; nil: none is stated.
    public let consumptionPercentage: Int?

    /// Takes the values as they are. By default it has only what Apple requires.
    public init(
        preference: RefundPreference? = nil,
        deliveryStatus: DeliveryStatus = .delivered,
        sampleContentProvided: Bool = false,
        consumptionPercentage: Int? = nil
    ) {
        self.preference = preference
        self.deliveryStatus = deliveryStatus
        self.sampleContentProvided = sampleContentProvided
        self.consumptionPercentage = consumptionPercentage
    }

    /// Returns the answer without what Apple would refuse for a product of this kind. Nil is an unknown kind.
    ///
    /// Apple computes the share of an auto-renewable subscription itself, and refuses one that is sent.
    /// Of any other product it must be 0 if nothing was delivered, and for `GRANT_PRORATED` neither 0 nor the whole.
    public func fitted(to kind: ProductKind?) -> RefundAnswer {
        let share: Int?
        switch kind {
        case .consumable, .nonConsumable, .nonRenewingSubscription:
            share = deliveryStatus == .delivered ? consumptionPercentage : 0
        case .autoRenewableSubscription, .unrecognised, nil: share = nil
        }
        let isProratable = kind == .autoRenewableSubscription || share.map { (1..<Self.whole).contains($0) } ?? false
        return RefundAnswer(
            preference: preference == .grantProrated && !isProratable ? nil : preference, deliveryStatus: deliveryStatus,
            sampleContentProvided: sampleContentProvided, consumptionPercentage: share)
    }
}

/// The outcome of a refund request that the company prefers: Apple's `refundPreference`.
public enum RefundPreference: String, Sendable, CaseIterable {
    case grantFull = "GRANT_FULL"
    case grantProrated = "GRANT_PRORATED"
    case decline = "DECLINE"
}

/// Whether a purchase was delivered and works: Apple's `deliveryStatus`.
public enum DeliveryStatus: String, Sendable, CaseIterable {
    case delivered = "DELIVERED"
    case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
    case wrongItem = "UNDELIVERED_WRONG_ITEM"
    case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
    case other = "UNDELIVERED_OTHER"
}
