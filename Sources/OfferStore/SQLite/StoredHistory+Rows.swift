import EligibilityRules

extension StoredHistory {
    /// What rows of one customer come to.
    ///
    /// - Parameter suppliedAt: when a history was supplied that shows no subscription.
    init(_ rows: [HistoryRow], suppliedAt: Instant?, isOfAnotherCustomer: Bool, withOtherPurchases: Bool) {
        var updatedAt: Instant?
        var chains: [PurchaseChain] = []
        chains.reserveCapacity(rows.count)
        for row in rows {
            // A chain that was only bound, or whose renewal alone is known, says nothing about what was bought.
            if !row.chain.transactions.isEmpty, updatedAt.map({ row.updatedAt > $0 }) ?? true { updatedAt = row.updatedAt }
            // The row that stands for a damaged customer's has none.
            guard !row.chain.originalID.isEmpty else { continue }
            if withOtherPurchases || row.chain.isSubscription { chains.append(row.chain) }
        }
        self.init(
            history: PurchaseHistory(chains), updatedAt: updatedAt ?? suppliedAt, isOfAnotherCustomer: isOfAnotherCustomer,
            isDamaged: rows.contains(where: \.isDamaged))
    }
}
