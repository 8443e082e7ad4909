/// What a store found for `HistoryKeys`. Keys without a result may be absent.
package struct HistoryFacts: Sendable {
    /// The customers that names refer to: the name itself, unless it is an alias.
    package var names: [HistoryKey: String] = [:]
    /// Whole chains by original transaction.
    package var chains: [HistoryKey: StoredChain] = [:]
    /// Whole chains by any transaction.
    package var transactions: [HistoryKey: StoredChain] = [:]
    /// Whole chains by the original transaction that they replaced.
    package var successors: [HistoryKey: [StoredChain]] = [:]
    /// Whole chains by account token.
    package var tokens: [HistoryKey: [StoredChain]] = [:]
    /// Whole chains by customer.
    package var customers: [HistoryKey: [StoredChain]] = [:]
    /// Receipts by original transaction.
    package var receipts: [HistoryKey: ReceiptState] = [:]
    /// Groups by product.
    package var groups: [HistoryKey: SeenGroup] = [:]
    /// Customers' records.
    package var customerSummaries: [HistoryKey: HistoryRecord] = [:]
    /// The customers who own subscriptions of any of the Apple accounts.
    package var owners: Set<HistoryKey> = []

    package init() {}
}
