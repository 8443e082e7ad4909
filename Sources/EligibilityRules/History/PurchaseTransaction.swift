/// One purchase or one period of a subscription, as far as any source has shown it.
public struct PurchaseTransaction: Hashable, Sendable {
    /// The facts in one object: a copy of a transaction costs one reference.
    private final class Box: Sendable {
        let facts: Facts

        init(_ facts: Facts) { self.facts = facts }
    }

    private struct Facts: Hashable {
        let id: String
        var otherIDs: [String] = []
        let productID: String
        let purchasedAt: Instant
        var kind: ProductKind?
        var ownership: Ownership?
        var terms: Terms
        var course: Course
        var state: State
    }

    private var box: Box

    /// Apple's `transactionId`; of several, the least.
    public var id: String { box.facts.id }
    /// Further ids of the same purchase, in order; usually none. A chain finds them, a statement has none.
    public internal(set) var otherIDs: [String] {
        get { box.facts.otherIDs }
        set { change { $0.otherIDs = newValue } }
    }
    /// Product id.
    public var productID: String { box.facts.productID }
    /// Apple's `purchaseDate`; for a renewal, the beginning of the period.
    public var purchasedAt: Instant { box.facts.purchasedAt }
    /// Nil when no source says.
    public var kind: ProductKind? {
        get { box.facts.kind }
        set { change { $0.kind = newValue } }
    }
    /// Nil when no source says; it then counts as purchased.
    public var ownership: Ownership? {
        get { box.facts.ownership }
        set { change { $0.ownership = newValue } }
    }
    /// Apple's `webOrderLineItemId`, the purchase's own id; nil when no source says, and in a summary.
    public var lineItemID: String? {
        get { box.facts.terms.lineItemID }
        set { change { $0.terms.lineItemID = newValue } }
    }
    /// The offer it was bought with; nil when none is known.
    public var offer: RedeemedOffer? {
        get { box.facts.terms.offer }
        set { change { $0.terms.offer = newValue } }
    }
    /// Whether a later purchase of a higher level has replaced it.
    public var isUpgraded: Bool {
        get { box.facts.course.isUpgraded }
        set { change { $0.course.isUpgraded = newValue } }
    }
    /// Whether the App Store says that it is a renewal, not a purchase (`transactionReason`).
    public var isRenewal: Bool {
        get { box.facts.course.isRenewal }
        set { change { $0.course.isRenewal = newValue } }
    }
    /// Whether several transactions make up its period (`additionalTransactionReason`), as when seats are added.
    public var sharesPeriod: Bool {
        get { box.facts.course.sharesPeriod }
        set { change { $0.course.sharesPeriod = newValue } }
    }
    /// The end of the period, which can be extended; nil for purchases without one.
    public var expiry: Stamped<Instant>? {
        get { box.facts.state.expiry }
        set { change { $0.state.expiry = newValue } }
    }
    /// Whether signed data says that it was refunded, or that Family Sharing has ended; nil when none was shown.
    public var revocation: Stamped<Revocation>? {
        get { box.facts.state.revocation }
        set { change { $0.state.revocation = newValue } }
    }
    /// When it was refunded or upgraded, by unsigned data, which does not distinguish these; nil when none says so.
    public var cancellation: Stamped<Instant>? {
        get { box.facts.state.cancellation }
        set { change { $0.state.cancellation = newValue } }
    }
    /// The latest statement that a refund was reversed; nil if there is none.
    public var reversal: Stamp? {
        get { box.facts.state.reversal }
        set { change { $0.state.reversal = newValue } }
    }
    /// Further statements; nil if there are none.
    public var particulars: Stamped<Particulars>? {
        get { box.facts.state.particulars }
        set { change { $0.state.particulars = newValue } }
    }

    /// The price and the storefront; nil when no source says.
    public var sale: Sale? {
        get { box.facts.terms.sale }
        set { change { $0.terms.sale = newValue } }
    }

    /// Takes the values as they are.
    public init(
        id: String,
        productID: String,
        purchasedAt: Instant,
        kind: ProductKind? = nil,
        ownership: Ownership? = nil,
        terms: Terms = Terms(),
        course: Course = Course(),
        state: State = State()
    ) {
        box = Box(
            Facts(
                id: id, productID: productID, purchasedAt: purchasedAt, kind: kind, ownership: ownership, terms: terms,
                course: course, state: state))
    }

    /// Returns what both statements about the same purchase say together, under the id of this one.
    ///
    /// It does not depend on order, nor on how often either was merged before. Values that cannot change (product, purchase date)
    /// come from both alike. Values that can (expiry, revocation) come from the later statement.
    public func merged(with other: PurchaseTransaction) -> PurchaseTransaction {
        PurchaseTransaction(
            id: id,
            productID: TextOrder.precedes(productID, other.productID) ? other.productID : productID,
            purchasedAt: min(purchasedAt, other.purchasedAt),
            kind: kind.greater(other.kind),
            ownership: ownership.greater(other.ownership),
            terms: Terms(
                lineItemID: TextOrder.later(lineItemID, other.lineItemID), offer: offer.greater(other.offer),
                sale: sale.merged(with: other.sale)),
            course: Course(
                isUpgraded: isUpgraded || other.isUpgraded, isRenewal: isRenewal || other.isRenewal,
                sharesPeriod: sharesPeriod || other.sharesPeriod),
            state: State(
                expiry: expiry.merged(with: other.expiry), revocation: revocation.merged(with: other.revocation),
                cancellation: cancellation.merged(with: other.cancellation), reversal: reversal.greater(other.reversal),
                particulars: particulars.merged(with: other.particulars))
        )
    }

    /// Whether a family member bought it.
    public var isFamilyShared: Bool { ownership == .familyShared }

    /// Whether the customer bought it. True when no source says.
    public var isOwn: Bool { ownership == nil || ownership == .purchased }

    /// Whether it is a period of an auto-renewable subscription, by the App Store's type or else because it ends.
    var isSubscriptionPeriod: Bool { expiry != nil && (kind == nil || kind == .autoRenewableSubscription) }

    /// Whether it may be a period of the customer's own subscription: its kind or its ownership is not recognised.
    var isDoubtfulSubscription: Bool {
        expiry != nil
            && (kind == .unrecognised || (ownership == .unrecognised && (kind == nil || kind == .autoRenewableSubscription)))
    }

    /// Whether it began after another. At the same instant, an upgraded one is the older.
    func isNewer(than other: PurchaseTransaction) -> Bool {
        if purchasedAt != other.purchasedAt { return purchasedAt > other.purchasedAt }
        if isUpgraded != other.isUpgraded { return !isUpgraded }
        return TextOrder.precedes(other.id, id)
    }

    /// When it was refunded or otherwise revoked. An upgrade does not count, which unsigned data shows as a cancellation, too.
    public var revokedAt: Instant? {
        revocation?.value.instant ?? (isUpgraded || isCancellationUndone ? nil : cancellation?.value)
    }

    /// Whether signed data says later than the cancellation that it was not revoked.
    var isCancellationUndone: Bool {
        guard let revocation, let cancellation else { return false }
        return revocation.value == .none && cancellation.stamp < revocation.stamp
    }

    /// Equal when all facts are.
    public static func == (left: PurchaseTransaction, right: PurchaseTransaction) -> Bool {
        left.box === right.box || left.box.facts == right.box.facts
    }

    /// Hashes all facts.
    public func hash(into hasher: inout Hasher) { hasher.combine(box.facts) }

    private mutating func change(_ body: (inout Facts) -> Void) {
        var facts = box.facts
        body(&facts)
        box = Box(facts)
    }
}
