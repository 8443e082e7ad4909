/// Is told what the ledger does, for metrics.
public protocol LedgerObserver: Sendable {
    /// A batch became durable.
    ///
    /// - Parameters:
    ///   - submissions: how many requests shared the transaction.
    ///   - duration: from begin to durable.
    func ledgerDidCommit(submissions: Int, duration: Duration)

    /// How many submissions wait for the next transaction.
    func ledgerQueueChanged(depth: Int)

    /// A batch could not be written.
    func ledgerDidFail(_ error: StoreError)

    /// A checkpoint ended: what is durable has moved from a log to where it stays.
    ///
    /// - Parameter pause: for how long no batch could be written meanwhile; or why the checkpoint failed, and the log goes on growing.
    func ledgerDidCheckpoint(_ pause: Result<Duration, StoreError>)
}
