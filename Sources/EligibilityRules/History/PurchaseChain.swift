/// Everything that is known about one `originalTransactionId`: a subscription with all its periods, or a single purchase.
public struct PurchaseChain: Hashable, Sendable {
    /// Holds all facts in one object, so that a copy of the chain costs one reference count.
    private final class Box: Sendable {
        let facts: Facts

        init(_ facts: Facts) { self.facts = facts }
    }

    private struct Facts: Hashable {
        let originalID: String
        var groupID: String?
        var account: Account
        var beginning: Beginning
        var environment: PurchaseEnvironment?
        var transactions: [PurchaseTransaction]
        var statements: [PurchaseTransaction]?
        var outlook: Outlook
        var isListedFromStart: Bool
    }

    private var box: Box

    /// Apple's `originalTransactionId`.
    public var originalID: String { box.facts.originalID }
    /// When the first purchase of the chain was made; nil if no source says.
    public var originallyPurchasedAt: Instant? {
        get { box.facts.beginning.originallyPurchasedAt }
        set { change { $0.beginning.originallyPurchasedAt = newValue } }
    }
    /// The id of the subscription group; nil if no source says.
    public var groupID: String? {
        get { box.facts.groupID }
        set { change { $0.groupID = newValue } }
    }
    /// The UUID that the app assigned to the customer (`appAccountToken`), in lower case, as last stated; nil if there is none.
    public var appAccountToken: Stamped<ExactText>? {
        get { box.facts.account.appAccountToken }
        set { change { $0.account.appAccountToken = newValue } }
    }
    /// Apple's `appTransactionId`, which stands for one Apple account in one app; nil if no source says.
    public var appTransactionID: String? {
        get { box.facts.account.appTransactionID }
        set { change { $0.account.appTransactionID = newValue } }
    }
    /// Apple's `previousOriginalTransactionId`: the subscription that this one has replaced, as a bundle does; otherwise nil.
    public var previousOriginalID: String? {
        get { box.facts.beginning.previousOriginalID }
        set { change { $0.beginning.previousOriginalID = newValue } }
    }
    /// Where the purchases were made; nil if no source says.
    public var environment: PurchaseEnvironment? {
        get { box.facts.environment }
        set { change { $0.environment = newValue } }
    }
    /// What the App Store last stated about the next renewal; nil if no source says.
    public var renewal: Stamped<RenewalState>? {
        get { box.facts.outlook.renewal }
        set { change { $0.outlook.renewal = newValue } }
    }
    /// The win-back offers that the App Store last stated for this customer; nil if no source says.
    public var winBackOffers: Stamped<OfferIDs>? {
        get { box.facts.outlook.winBackOffers }
        set { change { $0.outlook.winBackOffers = newValue } }
    }
    /// Whether a source has listed all transactions from the first on.
    public var isListedFromStart: Bool {
        get { box.facts.isListedFromStart }
        set { change { $0.isListedFromStart = newValue } }
    }
    /// The purchases, ordered by purchase date, then by id.
    ///
    /// If the App Store uses several transaction ids for one purchase, they are merged into one transaction.
    public var transactions: [PurchaseTransaction] { box.facts.transactions }
    /// What sources say under each transaction id, in the same order as `transactions`.
    ///
    /// The transactions are computed from these statements. They are the same unless a purchase has several ids.
    package var statements: [PurchaseTransaction] { box.facts.statements ?? box.facts.transactions }
    /// Whether a purchase of the chain has several transaction ids.
    package var hasCopies: Bool { box.facts.statements != nil }

    /// Merges transactions of the same purchase and puts them in order.
    ///
    /// - Parameter transactions: in any order.
    public init(
        originalID: String,
        groupID: String? = nil,
        account: Account = Account(),
        beginning: Beginning = Beginning(),
        environment: PurchaseEnvironment? = nil,
        transactions: [PurchaseTransaction] = [],
        outlook: Outlook = Outlook(),
        isListedFromStart: Bool = false
    ) {
        let statements = PurchaseChain.inOrder(PurchaseChain.merged(transactions))
        self.init(
            merged: statements, originalID: originalID, groupID: groupID, account: account, beginning: beginning,
            environment: environment, outlook: outlook, isListedFromStart: isListedFromStart)
        let purchases = PurchaseCopies.merged(statements)
        guard purchases.count < statements.count else { return }
        change { ($0.transactions, $0.statements) = (PurchaseChain.inOrder(purchases), statements) }
    }

    /// Returns what two statements about the same chain say together.
    ///
    /// The result does not depend on the order of merging, nor on how often a statement is merged.
    public func merged(with other: PurchaseChain) -> PurchaseChain {
        PurchaseChain(
            originalID: originalID,
            groupID: TextOrder.later(groupID, other.groupID),
            account: Account(
                appAccountToken: appAccountToken.merged(with: other.appAccountToken),
                appTransactionID: TextOrder.later(appTransactionID, other.appTransactionID)),
            beginning: Beginning(
                originallyPurchasedAt: originallyPurchasedAt.greater(other.originallyPurchasedAt),
                previousOriginalID: TextOrder.later(previousOriginalID, other.previousOriginalID)),
            environment: environment.greater(other.environment),
            transactions: statements + other.statements,
            outlook: Outlook(
                renewal: renewal.merged(with: other.renewal), winBackOffers: winBackOffers.merged(with: other.winBackOffers)),
            isListedFromStart: isListedFromStart || other.isListedFromStart
        )
    }

    /// Whether a source has shown the first period.
    ///
    /// Only then does it prove anything that no period shows an introductory offer.
    public var showsFirstPeriod: Bool {
        isListedFromStart
            || transactions.contains { transaction in
                transaction.hasID(originalID) || originallyPurchasedAt.map { transaction.purchasedAt <= $0 } ?? false
            }
    }

    /// Whether the chain is an auto-renewable subscription.
    ///
    /// The App Store's product type decides or, if no source gives it, that the periods have an end.
    public var isSubscription: Bool {
        transactions.contains(where: \.isSubscriptionPeriod)
    }

    /// Whether the chain is a subscription, or may be one because a value is not recognised.
    public var concernsSubscriptions: Bool {
        transactions.contains { $0.isSubscriptionPeriod || $0.isDoubtfulSubscription }
    }

    /// Returns the chain with other transactions in place of its own.
    ///
    /// - Parameter part: some of the chain's transactions, perhaps changed, in the same order.
    func with(transactions part: [PurchaseTransaction]) -> PurchaseChain {
        var copy = self
        copy.change { ($0.transactions, $0.statements) = (part, nil) }
        return copy
    }

    /// Creates a chain whose transactions are in order and already merged, so that each purchase occurs once.
    package init(
        merged transactions: [PurchaseTransaction],
        originalID: String,
        groupID: String?,
        account: Account,
        beginning: Beginning,
        environment: PurchaseEnvironment?,
        outlook: Outlook,
        isListedFromStart: Bool
    ) {
        box = Box(
            Facts(
                originalID: originalID, groupID: groupID, account: account, beginning: beginning, environment: environment,
                transactions: transactions, outlook: outlook, isListedFromStart: isListedFromStart))
    }

    /// Compares all facts.
    public static func == (left: PurchaseChain, right: PurchaseChain) -> Bool { left.box.facts == right.box.facts }

    /// Hashes all facts.
    public func hash(into hasher: inout Hasher) { hasher.combine(box.facts) }

    private mutating func change(_ body: (inout Facts) -> Void) {
        var facts = box.facts
        body(&facts)
        box = Box(facts)
    }

    private static func merged(_ transactions: [PurchaseTransaction]) -> [PurchaseTransaction] {
        guard transactions.count > 1 else { return transactions }
        var result: [PurchaseTransaction] = []
        result.reserveCapacity(transactions.count)
        for transaction in transactions.sorted(by: { TextOrder.precedes($0.id, $1.id) }) {
            if let last = result.last, !TextOrder.precedes(last.id, transaction.id) {
                result[result.count - 1] = last.merged(with: transaction)
            } else {
                result.append(transaction)
            }
        }
        return result
    }

    private static func inOrder(_ transactions: [PurchaseTransaction]) -> [PurchaseTransaction] {
        transactions.sorted {
            $0.purchasedAt != $1.purchasedAt ? $0.purchasedAt < $1.purchasedAt : TextOrder.precedes($0.id, $1.id)
        }
    }
}
