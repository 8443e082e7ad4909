/// Imports histories by the million. Writes that can wait are deferred and then made in a favourable order.
public protocol HistoryBulkStore: Sendable {
    /// Merges changes in one durable transaction, except for deferred writes.
    ///
    /// Returns one outcome for each change, in order, and whether `flush` is due. If so, call it before further changes.
    func apply(_ changes: [HistoryChange]) async throws(StoreError) -> (outcomes: [HistoryOutcome], isFlushDue: Bool)

    /// Makes the deferred writes. After a crash, changes since the last completed flush must be applied again.
    func flush() async throws(StoreError)
}
