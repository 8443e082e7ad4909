/// The consumption information with which the service answers a refund request (docs/refunds.md).
public struct RefundAnswer: Hashable, Sendable {
    /// 100 % in thousandths of a percent.
    public static let whole = 100_000

    /// The outcome that the company prefers; nil if the answer states none.
    public let preference: RefundPreference?
    /// Whether the purchase was delivered.
    public let deliveryStatus: DeliveryStatus
    /// Whether the customer could try the content before the purchase.
    public let sampleContentProvided: Bool
    /// The share that the customer has consumed, in thousandths of a percent; nil if the answer states none.
    public let consumptionPercentage: Int?

    /// Creates an answer, by default with only those values that Apple requires.
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

    /// Returns the answer changed so that Apple accepts it for a product of this kind.
    ///
    /// Apple computes the consumed share of an auto-renewable subscription itself, and refuses an answer that states it. For any
    /// other product the share must be 0 if the purchase was not delivered, and `GRANT_PRORATED` needs a share above 0 and below
    /// 100 %.
    ///
    /// - Parameter kind: nil if no source says.
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
