public import EligibilityRules
public import FoundationEssentials

/// The record of all signatures. It ensures that each nonce is used at most once, across crashes and replicas.
///
/// Nonces with the same first eight bytes form a series. An entry uses up the series of its nonces. Every later nonce of the
/// series is refused, whether it was used or not.
public protocol Ledger: Sendable {
    /// Receives one outcome for each submission, in order, or the reason why nothing was written. Called on any thread.
    typealias Completion = @Sendable (Result<[LedgerOutcome], StoreError>) -> Void

    /// Records submissions.
    ///
    /// Those of many callers share one durable transaction. Even an empty submission makes a transaction.
    ///
    /// Does not block. Calls `completion` once the rows are durable.
    func record(_ submissions: [LedgerSubmission], completion: @escaping Completion)

    /// The answer stored under an idempotency key; nil if there is none within its lifetime.
    func answer(caller: String, key: String, now: Instant) async throws(StoreError) -> IdempotencyRecord?

    /// The entry that contains a nonce.
    func entry(nonce: UUID) async throws(StoreError) -> LedgerEntry?

    /// The entries that contain the nonces, unordered, each once.
    func entries(of nonces: [UUID]) async throws(StoreError) -> [LedgerEntry]

    /// The entries of an app that name one of these ids as customer, username or transaction.
    ///
    /// - Parameter slice: the part to scan. There is no index, because maintaining one would slow every signature.
    func entries(naming ids: Set<String>, partition: AppPartition, in slice: AuditSlice) async throws(StoreError) -> [LedgerEntry]

    /// The refusals of an app that name one of these ids as customer, username or transaction.
    func refusals(naming ids: Set<String>, partition: AppPartition, in slice: AuditSlice) async throws(StoreError)
        -> [LedgerRefusals]

    /// The refusals of a customer, the latest first.
    func refusals(customerID: String, partition: AppPartition, limit: Int) async throws(StoreError) -> [LedgerRefusals]

    /// Counts redemptions for limits.
    ///
    /// A redeemed signature no longer counts as outstanding.
    ///
    /// Counting the same state of a redemption again changes nothing.
    func count(_ redemptions: [CountedRedemption]) async throws(StoreError)

    /// Deletes up to `limit` lapsed reservations. Returns how many were deleted.
    func pruneReservations(now: Instant, limit: Int) async throws(StoreError) -> Int

    /// The latest signing time, but not before the last repair of the clock; nil for an empty ledger.
    func latestInstant() async throws(StoreError) -> Instant?

    /// Adds to the served milliseconds, and notes the time by a trusted clock.
    ///
    /// Ages are measured in served time only, so that no wrong clock makes anything older. Returns the milliseconds served in
    /// all.
    @discardableResult func served(_ milliseconds: Int64, at instant: Instant) async throws(StoreError) -> Int64

    /// Makes room for the entries of the next days ahead of time, if the store divides its entries by days.
    ///
    /// Call it once in each round of retention. Without it, the first entry of a day makes the room, and takes longer.
    ///
    /// - Parameter age: how long entries are kept, in ms.
    func prepareDays(keeping age: Int64) async throws(StoreError)

    /// Deletes up to `limit` entries older than this many served milliseconds, the oldest first, but never the latest of all.
    ///
    /// Ages are exact to the hour, so slightly older entries may stay. A store that divides its entries into partitions drops a
    /// whole partition at once, when all its entries are that old. Returns how many were deleted.
    func prune(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int

    /// Deletes up to `limit` refusals older than this many served milliseconds, the oldest first, or drops a whole partition of
    /// them.
    ///
    /// Returns how many were deleted.
    func pruneRefusals(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int

    /// Deletes up to `limit` idempotency records older than this many served milliseconds. Returns how many were deleted.
    func pruneAnswers(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int
}

extension Ledger {
    /// Does nothing, for stores that keep the entries of all days in one table.
    public func prepareDays(keeping age: Int64) async throws(StoreError) {}

    /// Records one submission, and returns when it is durable.
    public func record(_ submission: LedgerSubmission) async throws(StoreError) -> LedgerOutcome {
        try await record([submission])[0]
    }

    /// Records submissions together. Returns an outcome for each, in order.
    package func record(_ submissions: [LedgerSubmission]) async throws(StoreError) -> [LedgerOutcome] {
        let result = await withCheckedContinuation { continuation in
            record(submissions) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Throws if a record cannot be made durable now.
    public func probe() async throws(StoreError) { _ = try await record(LedgerSubmission(nil)) }
}

/// The result of a submission.
public enum LedgerOutcome: Equatable, Sendable {
    /// The submission's rows are durable.
    case recorded
    /// This nonce was used before. Nothing was written.
    case nonceReplayed(UUID)
    /// These limits have no room. Nothing was written.
    case limited([LimitFinding])
    /// The signing key was revoked before the signatures were recorded. Nothing was written.
    case keyRevoked(String)
    /// The access key was revoked before the submission was recorded. Nothing was written.
    case callerRevoked
    /// The same request was answered before, with these bytes. Nothing was written.
    case answeredBefore([UInt8])
    /// The idempotency key belongs to another request. Nothing was written.
    case idempotencyKeyReused
}

/// What one request records, all or nothing. A class, so that passing it between threads copies nothing.
public final class LedgerSubmission: Sendable {
    /// The signatures; nil if nothing was signed.
    public let entry: LedgerEntry?
    /// The refusals; nil if nothing was refused.
    public let refusals: LedgerRefusals?
    /// The customer's exposures to variants of campaigns.
    public let exposures: [Exposure]
    /// What the signatures take of limits; empty if nothing was signed.
    public let reservations: [Reservation]
    /// Limits that must have room, although nothing is taken of them.
    public let probes: [Reservation]
    /// Further events for the audit log.
    public let auditEvents: [AuditEvent]
    /// The answer; nil without an `Idempotency-Key`.
    public let idempotency: IdempotencyRecord?

    /// Whether there is nothing to record. Such a submission only tests that a transaction can become durable.
    package var isEmpty: Bool {
        // By pattern: `==` copies what it compares.
        guard case .none = entry, case .none = refusals, case .none = idempotency else { return false }
        return exposures.isEmpty && auditEvents.isEmpty
    }

    /// Id of the caller's access key; nil if no recorded part has it.
    var caller: String? { entry?.request.caller ?? refusals?.request.caller ?? exposures.first?.source.caller }

    /// Returns the same submission with an answer to store.
    package func keeping(_ answer: IdempotencyRecord) -> LedgerSubmission {
        LedgerSubmission(
            entry, refusals: refusals, exposures: exposures, reservations: reservations, probes: probes,
            auditEvents: auditEvents, idempotency: answer)
    }

    /// Requires an entry if there are reservations, and checks nothing else.
    public init(
        _ entry: LedgerEntry?,
        refusals: LedgerRefusals? = nil,
        exposures: [Exposure] = [],
        reservations: [Reservation] = [],
        probes: [Reservation] = [],
        auditEvents: [AuditEvent] = [],
        idempotency: IdempotencyRecord? = nil
    ) {
        precondition(reservations.isEmpty || entry != nil)
        self.entry = entry
        self.refusals = refusals
        self.exposures = exposures
        self.reservations = reservations
        self.probes = probes
        self.auditEvents = auditEvents
        self.idempotency = idempotency
    }
}
