/// Takes histories in by the million: what need not be there at once is put off and then done in good order.
public protocol HistoryBulkStore: Sendable {
    /// Merges changes in one durable transaction, but for the index of their transactions.
    func apply(_ changes: [HistoryChange]) async throws(StoreError) -> [HistoryOutcome]

    /// How many transactions have been put off.
    var pendingCount: Int { get }

    /// Does what was put off. Until it has returned, the changes since the last time have to be applied again after a crash.
    func flush() async throws(StoreError)
}
