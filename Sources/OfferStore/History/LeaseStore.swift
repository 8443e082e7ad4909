/// Lets one replica at a time do a background job.
public protocol LeaseStore: Sendable {
    /// Takes or renews a lease for this many ms by the store's clock. Returns false while another replica holds it.
    func acquire(_ name: String, holder: String, milliseconds: Int64) async throws(StoreError) -> Bool

    /// Releases a lease if the holder has it.
    func release(_ name: String, holder: String) async throws(StoreError)
}

/// Stores the progress of background jobs across restarts.
public protocol ProgressStore: Sendable {
    /// The text last stored under a name; nil for none.
    func progress(_ name: String) async throws(StoreError) -> String?

    /// Stores a text under a name.
    func setProgress(_ name: String, to value: String) async throws(StoreError)
}

/// Imports histories by the million. Writes that can wait are deferred and then made in a favourable order.
public protocol HistoryBulkStore: Sendable {
    /// Merges changes in one durable transaction, except for deferred writes.
    ///
    /// Returns one outcome for each change, in order, and whether `flush` is due. If so, call it before further changes.
    func apply(_ changes: [HistoryChange]) async throws(StoreError) -> (outcomes: [HistoryOutcome], isFlushDue: Bool)

    /// Makes the deferred writes. After a crash, changes since the last completed flush must be applied again.
    func flush() async throws(StoreError)
}
