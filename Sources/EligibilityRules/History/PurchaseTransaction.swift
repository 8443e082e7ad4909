/// One purchase, or one period of a subscription, as far as sources have shown it.
public struct PurchaseTransaction: Hashable, Sendable {
    /// Holds all facts in one object, so that a copy of the transaction costs one reference count.
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

    /// Apple's `transactionId`; if the purchase has several, the first in the order of their bytes.
    public var id: String { box.facts.id }
    /// Further transaction ids of the same purchase, in order; usually empty.
    ///
    /// They are found when a chain merges its statements. The statements themselves have none.
    public internal(set) var otherIDs: [String] {
        get { box.facts.otherIDs }
        set { change { $0.otherIDs = newValue } }
    }
    /// Product id.
    public var productID: String { box.facts.productID }
    /// Apple's `purchaseDate`; for a renewal, the beginning of the period.
    public var purchasedAt: Instant { box.facts.purchasedAt }
    /// The type of the product; nil if no source says.
    public var kind: ProductKind? {
        get { box.facts.kind }
        set { change { $0.kind = newValue } }
    }
    /// Whether the customer bought it, or has it through others; nil, which counts as purchased, if no source says.
    public var ownership: Ownership? {
        get { box.facts.ownership }
        set { change { $0.ownership = newValue } }
    }
    /// Apple's `webOrderLineItemId`, which identifies the purchase; nil if no source says, and in a summary.
    public var lineItemID: String? {
        get { box.facts.terms.lineItemID }
        set { change { $0.terms.lineItemID = newValue } }
    }
    /// The offer with which it was bought; nil if none is known.
    public var offer: RedeemedOffer? {
        get { box.facts.terms.offer }
        set { change { $0.terms.offer = newValue } }
    }
    /// Whether a later purchase at a higher service level has replaced it.
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
    /// The end of the period, which the App Store can extend; nil for purchases without a period.
    public var expiry: Stamped<Instant>? {
        get { box.facts.state.expiry }
        set { change { $0.state.expiry = newValue } }
    }
    /// What signed data says about a refund, or about the end of Family Sharing; nil if no signed data was shown.
    public var revocation: Stamped<Revocation>? {
        get { box.facts.state.revocation }
        set { change { $0.state.revocation = newValue } }
    }
    /// When the purchase was refunded or upgraded according to unsigned data; nil if no unsigned data says so.
    ///
    /// Unsigned data does not distinguish a refund from an upgrade.
    public var cancellation: Stamped<Instant>? {
        get { box.facts.state.cancellation }
        set { change { $0.state.cancellation = newValue } }
    }
    /// The latest statement that a refund was reversed; nil if there is none.
    public var reversal: Stamp? {
        get { box.facts.state.reversal }
        set { change { $0.state.reversal = newValue } }
    }
    /// Further fields of Apple's data, which are shown to people; nil if there are none.
    public var particulars: Stamped<Particulars>? {
        get { box.facts.state.particulars }
        set { change { $0.state.particulars = newValue } }
    }

    /// The price and the storefront; nil if no source says.
    public var sale: Sale? {
        get { box.facts.terms.sale }
        set { change { $0.terms.sale = newValue } }
    }

    /// Stores the given values without checking them.
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

    /// Returns what two statements about the same purchase say together, under the id of this one.
    ///
    /// The result does not depend on the order of merging, nor on how often a statement is merged. Values that can change, such
    /// as expiry and revocation, come from the later statement. Values that cannot change, such as the product, should be equal;
    /// if they are not, one of them is chosen by a fixed order.
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

    /// Whether the customer has it through Family Sharing.
    public var isFamilyShared: Bool { ownership == .familyShared }

    /// Whether the customer bought it; true also if no source says.
    public var isOwn: Bool { ownership == nil || ownership == .purchased }

    /// Whether it is a period of an auto-renewable subscription.
    ///
    /// It must have an end. The App Store's product type decides if a source gives it.
    var isSubscriptionPeriod: Bool { expiry != nil && (kind == nil || kind == .autoRenewableSubscription) }

    /// Whether it may or may not be a period of a subscription that the customer bought.
    ///
    /// Its kind or its ownership is then a value that is not recognised.
    var isDoubtfulSubscription: Bool {
        expiry != nil
            && (kind == .unrecognised || (ownership == .unrecognised && (kind == nil || kind == .autoRenewableSubscription)))
    }

    /// Whether it began after another one.
    ///
    /// If both began at the same instant, an upgraded one is the older one; otherwise their ids decide.
    func isNewer(than other: PurchaseTransaction) -> Bool {
        if purchasedAt != other.purchasedAt { return purchasedAt > other.purchasedAt }
        if isUpgraded != other.isUpgraded { return !isUpgraded }
        return TextOrder.precedes(other.id, id)
    }

    /// When it was refunded or otherwise revoked; nil if it was not.
    ///
    /// A cancellation by an upgrade is not a revocation, although unsigned data shows both alike.
    public var revokedAt: Instant? {
        revocation?.value.instant ?? (isUpgraded || isCancellationUndone ? nil : cancellation?.value)
    }

    /// Whether signed data that is later than the cancellation says that the purchase is not revoked.
    var isCancellationUndone: Bool {
        guard let revocation, let cancellation else { return false }
        return revocation.value == .none && cancellation.stamp < revocation.stamp
    }

    /// Compares all facts.
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
