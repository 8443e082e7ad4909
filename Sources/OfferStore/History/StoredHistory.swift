public import EligibilityRules

/// What the store knows of one customer.
public struct StoredHistory: Equatable, Sendable {
    /// The purchases: of subscriptions what decides from now on, unless all were asked for.
    public let history: PurchaseHistory
    /// What the customer's Apple accounts have bought that is bound to another customer, or to nobody: subscriptions only.
    public let accountChains: [PurchaseChain]
    /// All subscriptions of the Apple account that was asked for; empty where none was.
    public let namedAccount: [AccountChain]
    /// The customer whom it is of, by their own name where an alias was asked for; nil where nothing was supplied, or nobody is known.
    public let customerID: String?
    /// When anything of it last changed; nil when nothing was ever supplied.
    ///
    /// A subscription that was only bound, or whose renewal alone is known, does not count: it shows no purchase.
    public let updatedAt: Instant?
    /// How much is known, as far as it does not follow from the purchases.
    public let completeness: Completeness
    /// Whether the transaction that was asked for belongs to another customer than the one that was asked for.
    public let isOfAnotherCustomer: Bool

    /// Whether a record of this customer's cannot be read: nothing is to be concluded until the history was supplied anew.
    public let isDamaged: Bool

    /// Takes the values as they are.
    public init(
        history: PurchaseHistory,
        accountChains: [PurchaseChain] = [],
        namedAccount: [AccountChain] = [],
        customerID: String? = nil,
        updatedAt: Instant?,
        completeness: Completeness = .none,
        isOfAnotherCustomer: Bool = false,
        isDamaged: Bool = false
    ) {
        self.history = history
        self.accountChains = accountChains
        self.namedAccount = namedAccount
        self.customerID = customerID
        self.updatedAt = updatedAt
        self.completeness = completeness
        self.isOfAnotherCustomer = isOfAnotherCustomer
        self.isDamaged = isDamaged
    }

    /// A customer of whom nothing was ever supplied.
    public static let unknown = StoredHistory(history: PurchaseHistory(), updatedAt: nil)

    /// The history if it can be relied on; throws `store-damaged` if not.
    public func intact() throws(StoreError) -> StoredHistory {
        guard !isDamaged else {
            throw StoreError(.damaged, "a record of this customer's history cannot be read; supply the history anew")
        }
        return self
    }

    /// Whether anything was ever supplied, be it an empty history.
    public var isSupplied: Bool { updatedAt != nil }
}
