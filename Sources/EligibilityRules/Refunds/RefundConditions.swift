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
