public import EligibilityRules

/// The audit log: the rows of signatures, refusals and events, the chains that link them, and the seals.
public protocol AuditStore: Sendable {
    /// The log's unique name: the first line of its seals, and the name of its keys.
    var origin: String { get }

    /// Records events, all or none.
    func record(_ events: [AuditEvent]) async throws(StoreError)

    /// Rows of one table that match the filter, the latest first.
    ///
    /// - Parameter before: a row of the table; only rows older than it are returned. Nil begins with the latest.
    func entries(
        _ table: AuditTable,
        _ filter: AuditFilter,
        before: Int64?,
        limit: Int
    ) async throws(StoreError) -> [AuditEntry]

    /// The number of a table's rows in a time range.
    ///
    /// It may be off by a few rows, because rows that were written together need not lie in the order of time.
    func count(_ table: AuditTable, from: Instant?, until: Instant?) async throws(StoreError) -> Int64

    /// Divides the present rows of a table into parts that are small enough for one read each.
    ///
    /// - Parameter latest: how many of the latest rows; nil for all.
    func slices(of table: AuditTable, latest: Int64?) async throws(StoreError) -> AuditSlices

    /// Counts the offers in rows of signatures or refusals.
    ///
    /// Rows of events have none.
    ///
    /// A store with many rows counts backwards from now, and reaches further back with each call. The result's `since` says how
    /// far it has come.
    ///
    /// - Parameter minute: the first minute to count, in minutes since 1970.
    func tally(_ table: AuditTable, since minute: Int64) async throws(StoreError) -> AuditTally

    /// Sets the key that seals from now on; nil for none.
    func use(_ signer: AuditSigner?)

    /// Seals what this process has written since its last seal. Returns nil if nothing is new or there is no key.
    ///
    /// Throws `damaged` if rows that this process wrote are missing.
    ///
    /// - Parameter certifying: a public key that may sign from then on.
    func seal(at now: Instant, certifying: [UInt8]?) async throws(StoreError) -> String?

    /// Seals like `seal(at:certifying:)`, and covers the ends of chains whose processes have ended.
    ///
    /// - Parameter ends: from a verification that found no fault, while no other process works on the store.
    func seal(at now: Instant, covering ends: [AuditReport.UnsealedEnd]) async throws(StoreError) -> String?

    /// The latest seal, as a whole note; nil for none.
    func latestSeal() async throws(StoreError) -> String?

    /// Verifies the whole log in one snapshot.
    ///
    /// - Parameter heads: seals that were kept elsewhere; the log must contain them.
    func verify(_ trust: AuditTrust, heads: [KeptSeal]) async throws(StoreError) -> AuditReport

    /// Begins a verification in steps.
    func walk(_ trust: AuditTrust) -> AuditWalk

    /// Does the next step of a verification, and returns its new state.
    ///
    /// - Parameter limit: how many rows or seals to read.
    func step(_ walk: AuditWalk, limit: Int64) async throws(StoreError) -> AuditWalk

    /// The events of an app, in a part of their table, that name one of these ids as customer or transaction.
    func events(naming ids: Set<String>, partition: AppPartition, in slice: AuditSlice) async throws(StoreError) -> [AuditEvent]

    /// Erases personal data from every row of an app that names one of these ids as customer, username or transaction.
    ///
    /// Digests replace the data, so the log still verifies.
    /// In exposures, a random id replaces each of the ids, the same one in all rows. Returns how many rows of the log changed.
    ///
    /// - Parameter event: the event to record with the erasure; it contains no personal data.
    func erase(_ ids: Set<String>, bundleID: String, audit event: AuditEvent) async throws(StoreError) -> Int

    /// Passes the whole log to `body`, in one snapshot, as lines of JSON without line feeds.
    ///
    /// The order is: where tables begin, chains, rows by table, seals.
    func export(_ body: @escaping @Sendable (_ line: [UInt8]) throws -> Void) async throws(StoreError)
}
