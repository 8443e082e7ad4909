/// The verified ids of one customer, from which a campaign takes the id of its unit.
///
/// An id is nil if nothing proves it.
public struct BucketingIdentity: Hashable, Sendable {
    /// The app's own user id; nil unless purchases are bound to it, or an end user's token names it.
    public let customerID: String?
    /// Apple's `appTransactionId`.
    public let appTransactionID: String?
    /// Apple's `originalTransactionId`.
    public let originalTransactionID: String?

    /// Stores the given values without checking them.
    public init(customerID: String? = nil, appTransactionID: String? = nil, originalTransactionID: String? = nil) {
        self.customerID = customerID
        self.appTransactionID = appTransactionID
        self.originalTransactionID = originalTransactionID
    }

    /// Takes Apple's ids from the customer's first purchase.
    ///
    /// Later purchases therefore never move the customer to another bucket.
    ///
    /// - Parameter customerID: the app's own user id; nil unless purchases are bound to it, or an end user's token names it.
    public init(customerID: String?, facts: CustomerFacts) {
        let chains = facts.links.chains.filter { $0.isCounted(in: facts.environment) }
        let original = Self.first(chains) { _ in true }
        self.init(
            customerID: customerID, appTransactionID: Self.first(chains) { $0.appTransactionID != nil }?.appTransactionID,
            originalTransactionID: original?.originalID)
    }

    /// The id of a unit; nil if there is none.
    public subscript(unit: BucketingUnit) -> String? {
        switch unit {
        case .customer: customerID
        case .appTransaction: appTransactionID
        case .originalTransaction: originalTransactionID
        }
    }

    private static func first(_ chains: [PurchaseChain], where condition: (PurchaseChain) -> Bool) -> PurchaseChain? {
        var first: (chain: PurchaseChain, begun: Instant)?
        for chain in chains where condition(chain) {
            guard let begun = chain.transactions.lazy.filter(\.isOwn).map(\.purchasedAt).min() else { continue }
            guard let earlier = first else {
                first = (chain, begun)
                continue
            }
            let isEarlier = begun < earlier.begun
            if isEarlier || begun == earlier.begun && TextOrder.precedes(chain.originalID, earlier.chain.originalID) {
                first = (chain, begun)
            }
        }
        return first?.chain
    }
}
