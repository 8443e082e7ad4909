/// What a transaction is to write of one chain.
package struct ChainNews: Sendable {
    /// The original transaction.
    package let key: HistoryKey
    /// The store's own number of the chain; nil for a new one.
    package let id: Int64?
    /// Takes the place of what is stored; nil where that stays.
    package var row: ChainRow?
    /// Transactions that are to lead to it, unless they lead to one.
    package var transactions: [String] = []
    /// Redemptions that are to be noted, unless they are.
    package var redemptions: [RedemptionRecord] = []
    /// Whether its redemptions that were tied to nothing are to be looked at again.
    package var isSearchedAgain = false

    init(_ key: HistoryKey, id: Int64?) { (self.key, self.id) = (key, id) }
}
