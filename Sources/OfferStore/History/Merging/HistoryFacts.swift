/// What a store found of `HistoryKeys`; a key of which there is nothing may be absent.
package struct HistoryFacts: Sendable {
    /// The customers whom names stand for: the name itself, unless it is an alias.
    package var names: [HistoryKey: String] = [:]
    /// Chains by original transaction, all of each.
    package var chains: [HistoryKey: StoredChain] = [:]
    /// Chains by any transaction, all of each.
    package var transactions: [HistoryKey: StoredChain] = [:]
    /// Chains that took the place of others, all of each.
    package var successors: [HistoryKey: [StoredChain]] = [:]
    /// Chains by account token, all of each.
    package var tokens: [HistoryKey: [StoredChain]] = [:]
    /// Chains by customer, all of each.
    package var customers: [HistoryKey: [StoredChain]] = [:]
    /// Receipts by original transaction.
    package var receipts: [HistoryKey: ReceiptStanding] = [:]
    /// Groups by product.
    package var groups: [HistoryKey: SeenGroup] = [:]
    /// What is drawn of customers.
    package var drawings: [HistoryKey: HistoryRecord] = [:]
    /// The customers who have subscriptions of any of the Apple accounts.
    package var owners: Set<HistoryKey> = []

    /// Nothing was found.
    package init() {}
}
