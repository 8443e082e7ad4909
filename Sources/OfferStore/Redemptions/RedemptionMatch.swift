package import EligibilityRules

/// Which signatures a redemption may belong to: those for the same customer, product and offer of the day before the purchase.
///
/// It belongs to the last of them that no other redemption belongs to: a store goes through requests, and the signatures of one, backwards.
package struct RedemptionMatch: Sendable {
    /// A signature can be redeemed for 24 hours; the clocks of the App Store and ours may differ by a minute. In ms.
    private static let window: Int64 = 24 * 3600 * 1000
    private static let tolerance: Int64 = 60 * 1000

    /// The first instant at which it may have been signed.
    package let first: Instant
    /// The last instant at which it may have been signed.
    package let last: Instant
    /// What was redeemed.
    package let redemption: RedemptionRecord
    /// In which app.
    package let partition: AppPartition
    /// By whom; nil while nobody is known.
    package let customerID: String?
    /// What the customer was called before.
    package var aliases: [String] = []
    /// The customer's UUID in the app; nil when the app set none.
    package let appAccountToken: String?
    /// Ids that may have been given when the signature was asked for.
    package private(set) var transactionIDs: Set<ExactText> = []

    /// Takes the values as they are.
    package init(_ redemption: RedemptionRecord, partition: AppPartition, customerID: String?, appAccountToken: String?) {
        self.redemption = redemption
        self.partition = partition
        self.customerID = customerID
        self.appAccountToken = appAccountToken
        first = redemption.purchasedAt.advanced(by: -Self.window - Self.tolerance)
        last = redemption.purchasedAt.advanced(by: Self.tolerance)
    }

    /// Adds what else names the customer: the transactions of the redemption's chain, and of others of the customer's.
    package mutating func add(transactionsOf chain: PurchaseChain) {
        transactionIDs.insert(ExactText(chain.originalID))
        for transaction in chain.transactions { transactionIDs.insert(ExactText(transaction.id)) }
    }

    /// Whether a request was signed in time, for this app and for this customer, whom any one of the ids names.
    package func mayBeOf(
        partition: AppPartition,
        customerID: String?,
        applicationUsername: String?,
        transactionID: String?,
        signedAt: Instant
    ) -> Bool {
        guard first <= signedAt, signedAt <= last, partition == self.partition else { return false }
        return customerIDs.contains { isSame(customerID, $0) } || isSame(applicationUsername, appAccountToken)
            || transactionID.map { transactionIDs.contains(ExactText($0)) } ?? false
    }

    /// Whether it is the very offer; ids that are only canonically equivalent are others.
    package func isOf(productID: String, offerID: String) -> Bool {
        ExactText(productID) == ExactText(redemption.productID) && ExactText(offerID) == ExactText(redemption.offerID)
    }

    /// All names of the customer.
    package var customerIDs: [String] { (customerID.map { [$0] } ?? []) + aliases }

    private func isSame(_ id: String?, _ other: String?) -> Bool {
        guard let id, let other else { return false }
        return ExactText(id) == ExactText(other)
    }
}
