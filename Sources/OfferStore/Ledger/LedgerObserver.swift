/// Observes the ledger, for metrics.
public protocol LedgerObserver: Sendable {
    /// A batch became durable.
    ///
    /// - Parameters:
    ///   - submissions: number of requests in the transaction.
    ///   - duration: from the beginning of the transaction until it was durable.
    func ledgerDidCommit(submissions: Int, duration: Duration)

    /// The number of submissions that wait for the next transaction has changed.
    func ledgerQueueChanged(depth: Int)

    /// A batch could not be written.
    func ledgerDidFail(_ error: StoreError)

    /// A checkpoint has ended: it moved durable data from the log to its final place.
    ///
    /// - Parameter pause: how long it blocked batches, or why it failed. After a failure the log keeps growing.
    func ledgerDidCheckpoint(_ pause: Result<Duration, StoreError>)
}
