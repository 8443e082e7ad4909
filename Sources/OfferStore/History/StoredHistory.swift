public import EligibilityRules

/// What the store knows of one customer.
public struct StoredHistory: Equatable, Sendable {
    /// The customer's purchases.
    ///
    /// Unless the query asks for everything, these are only purchases that can still decide about offers.
    public let history: PurchaseHistory
    /// Subscriptions of the customer's Apple accounts that belong to another customer or have no owner.
    public let accountChains: [PurchaseChain]
    /// All subscriptions of the Apple account that the query names; empty if it names none.
    public let namedAccount: [AccountChain]
    /// The customer, by their own name instead of an alias; nil if unknown, or if nothing was supplied.
    public let customerID: String?
    /// When the history last changed; nil if nothing was ever supplied.
    ///
    /// A subscription that was only bound, or has only a renewal, does not count: it shows no purchase.
    public let updatedAt: Instant?
    /// How complete the history is, as far as the purchases do not show it.
    public let completeness: Completeness
    /// Whether the query's transaction belongs to a customer other than the query's.
    public let isOfAnotherCustomer: Bool

    /// Whether a record is unreadable. Conclude nothing until the history is supplied anew.
    public let isDamaged: Bool

    /// Stores the given values without checking them.
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

    /// A customer without a history.
    public static let unknown = StoredHistory(history: PurchaseHistory(), updatedAt: nil)

    /// Returns the history if it is readable; throws `store-damaged` if not.
    public func intact() throws(StoreError) -> StoredHistory {
        guard !isDamaged else {
            throw StoreError(.damaged, "a record of this customer's history cannot be read; supply the history anew")
        }
        return self
    }

    /// Whether a history was ever supplied, even an empty one.
    public var isSupplied: Bool { updatedAt != nil }
}
