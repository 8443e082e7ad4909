/// What a transaction writes about one chain.
package struct ChainNews: Sendable {
    /// The original transaction.
    package let key: HistoryKey
    /// The store's number of the chain; nil for a new one.
    package let id: Int64?
    /// The new row; nil leaves the stored one.
    package var row: ChainRow?
    /// Transactions to index for this chain, unless they are indexed.
    package var transactions: [String] = []
    /// Redemptions to record, unless they are recorded under one of their ids.
    package var redemptions: [RedemptionRecord] = []
    /// Whether to search again for the signatures of its untied redemptions.
    package var isSearchedAgain = false

    init(_ key: HistoryKey, id: Int64?) { (self.key, self.id) = (key, id) }
}
