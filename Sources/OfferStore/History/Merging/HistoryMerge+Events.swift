import EligibilityRules

/// The changes that make events.
extension HistoryMerge {
    /// Records the news of a chain. A damaged one shows nothing of what was known before.
    mutating func note(_ news: @autoclosure () -> [PurchaseNews], _ known: StoredChain?, _ row: ChainRow, _ change: HistoryChange)
    {
        guard rows.keepsEvents, known?.isDamaged != true else { return }
        for piece in news() {
            let event = PurchaseEvent(
                kind: piece.kind, partition: change.partition, at: piece.at, customerID: row.owner?.customerID,
                originalTransactionID: row.chain.originalID, transactionID: piece.transaction.id,
                productID: piece.transaction.productID, offerID: piece.transaction.offer?.id)
            draft.note(event, at: change.receivedAt)
        }
    }

    /// Records that a subscription has moved to the change's customer.
    mutating func note(transferOf chain: PurchaseChain, from owner: String, _ change: HistoryChange) {
        guard rows.keepsEvents, chain.isSubscription else { return }
        var event = PurchaseEvent(
            kind: .transferred, partition: change.partition, at: change.receivedAt, customerID: change.customerID,
            originalTransactionID: chain.originalID, productID: chain.transactions.last?.productID)
        event.previousCustomerID = owner
        draft.note(event, at: change.receivedAt)
    }
}
