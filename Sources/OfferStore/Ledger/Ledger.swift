public import EligibilityRules
public import FoundationEssentials

/// The record of every signature: what makes a nonce good for one use, over crashes and replicas.
///
/// Nonces that share their first eight bytes are of one series. An entry takes the series of its nonces as a whole: whoever comes with
/// one of them later comes too late, be it the same nonce or another.
public protocol Ledger: Sendable {
    /// Receives one outcome a submission, in their order, or why nothing was written. Called on any thread.
    typealias Completion = @Sendable (Result<[LedgerOutcome], StoreError>) -> Void

    /// Records submissions; those of many callers share one durable transaction. One without content is a transaction all the same.
    ///
    /// Does not block. `completion` is called once the rows are durable.
    func record(_ submissions: [LedgerSubmission], completion: @escaping Completion)

    /// The answer kept under an idempotency key; nil when there is none younger than its lifetime.
    func answer(caller: String, key: String, now: Instant) async throws(StoreError) -> IdempotencyRecord?

    /// The entry that a nonce belongs to.
    func entry(nonce: UUID) async throws(StoreError) -> LedgerEntry?

    /// The entries that nonces belong to, in any order, each once.
    func entries(of nonces: [UUID]) async throws(StoreError) -> [LedgerEntry]

    /// The entries of an app that name one of these ids as customer, username or transaction.
    ///
    /// - Parameter slice: which are looked at, one after the other: there is no index, which would cost every signature.
    func entries(naming ids: Set<String>, partition: AppPartition, in slice: AuditSlice) async throws(StoreError) -> [LedgerEntry]

    /// The refusals of an app that name one of these ids as customer, username or transaction.
    func refusals(naming ids: Set<String>, partition: AppPartition, in slice: AuditSlice) async throws(StoreError)
        -> [LedgerRefusals]

    /// What a customer was refused, the latest first.
    func refusals(customerID: String, partition: AppPartition, limit: Int) async throws(StoreError) -> [LedgerRefusals]

    /// Has limits count redemptions; what is known of them already changes nothing. A signature that was redeemed is no longer outstanding.
    func count(_ redemptions: [CountedRedemption]) async throws(StoreError)

    /// Forgets signatures that are no longer outstanding, up to `limit`. Returns how many went.
    func pruneReservations(now: Instant, limit: Int) async throws(StoreError) -> Int

    /// The latest instant at which anything was signed; nil for an empty ledger. After a repair of the clock, not before that.
    func latestInstant() async throws(StoreError) -> Instant?

    /// Notes that so many milliseconds more were served, and the time, by a clock that is trusted.
    ///
    /// Ages are counted in this time alone: no clock, however wrong, makes anything older. Returns how many were served in all.
    @discardableResult func served(_ milliseconds: Int64, at instant: Instant) async throws(StoreError) -> Int64

    /// Deletes up to `limit` of the oldest entries, of those since which so many milliseconds were served, but never the latest of all.
    ///
    /// Ages are known to the hour: what is a little older may stay. Returns how many went.
    func prune(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int

    /// Deletes up to `limit` of the oldest refusals, of those since which so many milliseconds were served. Returns how many went.
    func pruneRefusals(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int

    /// Deletes up to `limit` idempotency records since which so many milliseconds were served. Returns how many went.
    func pruneAnswers(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int
}

extension Ledger {
    /// Records one submission and waits until it is durable.
    public func record(_ submission: LedgerSubmission) async throws(StoreError) -> LedgerOutcome {
        let result = await withCheckedContinuation { continuation in
            record([submission]) { continuation.resume(returning: $0) }
        }
        return try result.get()[0]
    }

    /// Throws when a record could not be made durable now.
    public func probe() async throws(StoreError) { _ = try await record(LedgerSubmission(nil)) }
}
