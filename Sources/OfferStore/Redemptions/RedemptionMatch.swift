package import EligibilityRules
import WireText

/// The criteria for a redemption's signature: the same customer, product and offer, within a day before the purchase.
///
/// The redemption belongs to the last such signature that no other redemption has. A store scans requests and their signatures
/// backwards.
package struct RedemptionMatch: Sendable {
    /// How long after a purchase its signature may seem to be made, in ms, because the App Store's clock may differ from ours by
    /// a minute.
    package static let longestAfter: Int64 = 60 * 1000
    /// How long before a purchase its signature may be made, in ms.
    package static let longestBefore = SignatureValidity.duration + longestAfter

    /// The earliest possible signing time.
    package let first: Instant
    /// The latest possible signing time.
    package let last: Instant
    package let redemption: RedemptionRecord
    /// The app in an environment.
    package let partition: AppPartition
    /// The redeeming customer; nil while unknown.
    package let customerID: String?
    /// The customer's aliases.
    package var aliases: [String] = []
    /// The customer's UUID in the app; nil if the app set none.
    package let appAccountToken: String?
    /// The ids of transactions and of the Apple account that the request for the signature may contain.
    package private(set) var transactionIDs: Set<ExactText> = []

    package init(_ redemption: RedemptionRecord, partition: AppPartition, customerID: String?, appAccountToken: String?) {
        self.redemption = redemption
        self.partition = partition
        self.customerID = customerID
        self.appAccountToken = appAccountToken
        first = redemption.purchasedAt.advanced(by: -Self.longestBefore)
        last = redemption.purchasedAt.advanced(by: Self.longestAfter)
    }

    /// Adds the transactions of the redemption's chain, or of another chain of the customer.
    package mutating func add(transactionsOf chain: PurchaseChain) {
        transactionIDs.insert(ExactText(chain.originalID))
        if let account = chain.appTransactionID { transactionIDs.insert(ExactText(account)) }
        for statement in chain.statements { transactionIDs.insert(ExactText(statement.id)) }
    }

    /// Whether a request was signed in time, for this app, and for this customer. Any one of the ids identifies the customer.
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

    /// Whether product and offer are the same. Canonically equivalent ids differ.
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
