/// Takes histories in by the million: what need not be there at once is put off and then done in good order.
public protocol HistoryBulkStore: Sendable {
    /// Merges changes in one durable transaction, but for what is put off.
    ///
    /// Returns one outcome a change, in order, and whether it is time to `flush`: no more should be put off, nor done again.
    func apply(_ changes: [HistoryChange]) async throws(StoreError) -> (outcomes: [HistoryOutcome], isFlushDue: Bool)

    /// Does what was put off. Until it has returned, the changes since the last time have to be applied again after a crash.
    func flush() async throws(StoreError)
}
