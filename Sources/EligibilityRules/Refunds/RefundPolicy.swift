/// One rule of how refund requests are answered.
public struct RefundPolicy: Hashable, Sendable {
    /// Unique in the app.
    public let name: String
    /// When it applies.
    public let conditions: RefundConditions
    /// What it answers.
    public let answer: RefundAnswer

    /// Takes the values as they are.
    public init(name: String, conditions: RefundConditions = RefundConditions(), answer: RefundAnswer) {
        self.name = name
        self.conditions = conditions
        self.answer = answer
    }
}

extension [RefundPolicy] {
    /// Returns the first policy that applies, and its answer as Apple accepts it.
    ///
    /// Without one there is no policy, and the answer has only what Apple requires.
    public func decide(_ purchase: RefundCase) -> (policy: RefundPolicy?, answer: RefundAnswer) {
        let policy = first { $0.conditions.holds(for: purchase) }
        return (policy, (policy?.answer ?? RefundAnswer()).fitted(to: purchase.kind))
    }
}

/// When a refund policy applies: all that is stated must hold. What is not known satisfies nothing.
public struct RefundConditions: Hashable, Sendable {
    /// Product ids, one of which it must be; nil: any.
    public let products: Set<ExactText>?
    /// The longest time since the purchase; nil: any.
    public let purchasedWithin: CalendarPeriod?
    /// The consumed share of the period must be less, in percent; nil: any.
    public let consumedBelow: Int?
    /// The consumed share of the period must be as much or more, in percent; nil: any.
    public let consumedAtLeast: Int?
    /// The fewest offers that the customer must have redeemed; nil: any number.
    public let offersRedeemedAtLeast: Int?

    /// Takes the values as they are.
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

    /// Whether nothing is stated, so that every purchase satisfies it.
    public var isEmpty: Bool { self == RefundConditions() }

    /// Whether a purchase satisfies all of it.
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
