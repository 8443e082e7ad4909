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
}
