package import EligibilityRules

/// The rows that a transaction writes about histories, each once, however many changes concern it.
package struct HistoryNews: Sendable {
    /// Chains, in the order in which they first changed.
    package internal(set) var chains: [ChainNews] = []
    /// Receipts by original transaction.
    package internal(set) var receipts: [HistoryKey: ReceiptNews] = [:]
    /// Groups by product, each replacing the one noted for it.
    package internal(set) var groups: [HistoryKey: SeenGroup] = [:]
    /// Refund requests, each with the store's number of its app.
    package internal(set) var refunds: [(app: Int64, request: RefundRequest)] = []
    /// Changes that make events, in order, each with the time at which it became known.
    package internal(set) var events: [(event: PurchaseEvent, recordedAt: Instant)] = []

    package init() {}

    /// The Apple accounts of the subscriptions among the chains.
    var accounts: Set<HistoryKey> {
        Set(
            chains.compactMap { news in
                guard let row = news.row, row.isSubscription, let account = row.chain.appTransactionID else { return nil }
                return news.key.with(account)
            })
    }
}

/// What a transaction writes about a subscription's receipt.
package enum ReceiptNews: Sendable {
    /// Stores a receipt in place of the present one. `dueAt` says when to verify it with the App Store; nil for never.
    case kept(KeptReceipt, at: Instant, dueAt: Instant?)
    /// Changes when to verify the present receipt with the App Store; nil for never.
    case scheduled(Instant?)
}
