public import EligibilityRules

/// The audit log: events beside the rows of submissions, chains, seals.
public protocol AuditStore: Sendable {
    /// Tells this log from others: the first line of its seals, the name of its keys.
    var origin: String { get }

    /// Records events, all or none.
    func record(_ events: [AuditEvent]) async throws(StoreError)

    /// Rows of one table that fit, the latest first.
    ///
    /// - Parameter before: a row of the table, behind which they lie; nil from the end.
    func entries(
        _ table: AuditTable,
        _ filter: AuditFilter,
        before: Int64?,
        limit: Int
    ) async throws(StoreError) -> [AuditEntry]

    /// How many rows of a table are of some time, as far as rows lie in its order.
    func count(_ table: AuditTable, from: Instant?, until: Instant?) async throws(StoreError) -> Int64

    /// The rows of a table that are there now, in parts of so many that one read looks through.
    ///
    /// - Parameter latest: how many of the latest rows; nil for all.
    func slices(of table: AuditTable, latest: Int64?) async throws(StoreError) -> AuditSlices

    /// Adds up the offers in rows of signatures or refusals; rows of events come to nothing.
    ///
    /// A busy store counts back from now, further each time it is asked; `since` says how far it is.
    ///
    /// - Parameter minute: the first to be counted; since 1970.
    func tally(_ table: AuditTable, since minute: Int64) async throws(StoreError) -> AuditTally

    /// Says with which key to seal from now on; nil with none.
    func use(_ signer: AuditSigner?)

    /// Seals what this process has written since its last seal; nil if there is nothing new or no key.
    ///
    /// Throws `damaged` if the store has not what this process has written.
    ///
    /// - Parameter certifying: a public key that may sign from then on.
    func seal(at now: Instant, certifying: [UInt8]?) async throws(StoreError) -> String?

    /// The latest seal, as a whole note; nil for none.
    func latestSeal() async throws(StoreError) -> String?

    /// Verifies the whole log in one snapshot.
    ///
    /// - Parameter heads: seals that were kept elsewhere, which must be in it.
    func verify(_ trust: AuditTrust, heads: [SignedNote]) async throws(StoreError) -> AuditReport

    /// Begins to verify the log in steps.
    func walk(_ trust: AuditTrust) -> AuditWalk

    /// Goes on with a walk.
    ///
    /// - Parameter limit: rows or seals to read.
    func step(_ walk: AuditWalk, limit: Int64) async throws(StoreError) -> AuditWalk

    /// The events of an app in a part of their table that name one of these ids as customer or transaction.
    func events(naming ids: Set<String>, partition: AppPartition, in slice: AuditSlice) async throws(StoreError) -> [AuditEvent]

    /// Takes what is personal out of every row of an app in which one of these ids is a customer's, a username or a transaction's.
    ///
    /// Digests stay in its place, so the log still verifies. Signatures that were kept to be given again go, too, and exposures of one of
    /// the ids are of something random from then on, the same for all that had the same id.
    /// Returns how many rows of the log that were.
    ///
    /// - Parameter event: what the log gets with it; it names nobody.
    func erase(_ ids: Set<String>, bundleID: String, audit event: AuditEvent) async throws(StoreError) -> Int

    /// Gives the whole log as lines of JSON without their ends, in one snapshot: where tables begin, chains, rows by table, seals.
    func export(_ body: @escaping @Sendable (_ line: [UInt8]) throws -> Void) async throws(StoreError)
}
