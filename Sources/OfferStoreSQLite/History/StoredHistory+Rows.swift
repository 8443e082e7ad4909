import EligibilityRules
import OfferStore

extension StoredHistory {
    /// What rows of one customer come to, beside the customer's own row.
    init(_ rows: [HistoryRow], _ extent: HistoryRow.Extent, own: StoredHistory, isOfAnotherCustomer: Bool) {
        var updatedAt = own.history.isEmpty ? nil : own.updatedAt
        // The customer's row holds gists: all there is to know, or nothing beside whole chains.
        var chains = extent == .gist ? own.history.chains : []
        for row in rows {
            // A chain that was only bound, or whose renewal alone is known, says nothing about what was bought.
            if !row.chain.transactions.isEmpty, updatedAt.map({ row.updatedAt > $0 }) ?? true { updatedAt = row.updatedAt }
            if extent == .whole || row.chain.concernsSubscriptions { chains.append(row.chain) }
        }
        self.init(
            history: PurchaseHistory(chains), updatedAt: updatedAt ?? own.updatedAt, completeness: own.completeness,
            isOfAnotherCustomer: isOfAnotherCustomer, isDamaged: own.isDamaged || rows.contains(where: \.isDamaged))
    }
}
