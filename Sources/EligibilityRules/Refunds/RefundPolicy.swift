/// One of the app's rules that decide how refund requests are answered.
public struct RefundPolicy: Hashable, Sendable {
    /// The name of the policy, which is unique in the app.
    public let name: String
    /// What must hold for the policy to apply.
    public let conditions: RefundConditions
    /// The answer if the policy applies.
    public let answer: RefundAnswer

    /// Stores the given values without checking them.
    public init(name: String, conditions: RefundConditions = RefundConditions(), answer: RefundAnswer) {
        self.name = name
        self.conditions = conditions
        self.answer = answer
    }
}

extension [RefundPolicy] {
    /// Returns the first policy that applies, and its answer in a form that Apple accepts.
    ///
    /// If no policy applies, the policy is nil, and the answer has only those values that Apple requires.
    public func decide(_ purchase: RefundCase) -> (policy: RefundPolicy?, answer: RefundAnswer) {
        let policy = first { $0.conditions.holds(for: purchase) }
        return (policy, (policy?.answer ?? RefundAnswer()).fitted(to: purchase.kind))
    }
}

/// What must hold for a refund policy to apply.
///
/// All conditions that are not nil must hold. A condition on a value that is not known does not hold.
public struct RefundConditions: Hashable, Sendable {
    /// The ids of the products to which the policy applies; nil for all products.
    public let products: Set<ExactText>?
    /// The longest time from the purchase to the refund request; nil for any time.
    public let purchasedWithin: CalendarPeriod?
    /// The percentage below which the consumed share of the period must be; nil for any share.
    public let consumedBelow: Int?
    /// The percentage that the consumed share of the period must reach; nil for any share.
    public let consumedAtLeast: Int?
    /// How many offers, other than introductory ones, the customer must have redeemed at least; nil for any number.
    public let offersRedeemedAtLeast: Int?

    /// Stores the given values without checking them.
    public init(
        products: Set<ExactText>? = nil,
        purchasedWithin: CalendarPeriod? = nil,
        consumedBelow: Int? = nil,
        consumedAtLeast: Int? = nil,
        offersRedeemedAtLeast: Int? = nil
    ) {
        self.products = products
        self.purchasedWithin = purchasedWithin
        self.consumedBelow = consumedBelow
        self.consumedAtLeast = consumedAtLeast
        self.offersRedeemedAtLeast = offersRedeemedAtLeast
    }

    /// Whether there is no condition, so that every purchase satisfies it.
    public var isEmpty: Bool { self == RefundConditions() }

    /// Whether a purchase satisfies all conditions.
    func holds(for purchase: RefundCase) -> Bool {
        let percent = RefundAnswer.whole / 100
        if let products, !products.contains(ExactText(purchase.productID)) { return false }
        if let purchasedWithin, purchasedWithin.after(purchase.purchasedAt) < purchase.requestedAt { return false }
        if let consumedBelow, purchase.consumedShare.map({ $0 >= consumedBelow * percent }) ?? true { return false }
        if let consumedAtLeast, purchase.consumedShare.map({ $0 < consumedAtLeast * percent }) ?? true { return false }
        if let offersRedeemedAtLeast, purchase.offersRedeemed < offersRedeemedAtLeast { return false }
        return true
    }
}

/// What is known about a purchase when the App Store asks about a refund.
public struct RefundCase: Sendable {
    /// The id of the product.
    public let productID: String
    /// The type of the product; nil if no source says.
    public let kind: ProductKind?
    /// When the purchase was made; for a renewal, the beginning of the period.
    public let purchasedAt: Instant
    /// When the App Store sent the refund request.
    public let requestedAt: Instant
    /// The share of the period that was over at that time, in thousandths of a percent; nil if the purchase has no period.
    public let consumedShare: Int?
    /// The number of offers that the customer has redeemed in the app, other than introductory ones.
    public let offersRedeemed: Int

    /// Stores the given values without checking them.
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

    /// Takes the values from a purchase.
    public init(_ transaction: PurchaseTransaction, offersRedeemed: Int, requestedAt: Instant) {
        self.init(
            productID: transaction.productID, kind: transaction.kind, purchasedAt: transaction.purchasedAt,
            requestedAt: requestedAt, consumedShare: transaction.consumedShare(at: requestedAt),
            offersRedeemed: offersRedeemed)
    }
}

extension PurchaseTransaction {
    /// Returns the share of the period that is over, in thousandths of a percent, rounded down; nil if there is no period.
    fileprivate func consumedShare(at now: Instant) -> Int? {
        guard let end = expiry?.value, end > purchasedAt else { return nil }
        let length = end.milliseconds(since: purchasedAt)
        let used = min(max(0, now.milliseconds(since: purchasedAt)), length)
        let (product, overflow) = used.multipliedReportingOverflow(by: Int64(RefundAnswer.whole))
        return overflow ? nil : Int(product / length)
    }
}
