public import EligibilityRules
public import FoundationEssentials
public import OfferStore
import OfferStoreSQL

/// The ledger in PostgreSQL: any number of processes write, each with many requests in a transaction.
public final class PostgreSQLLedger: Ledger {
    private static let maxPerBatch = 2048

    let store: PostgreSQLStore
    private let commits: GroupCommit<LedgerSubmission, LedgerOutcome>

    /// - Parameter observer: receives reports of batches; nil in tools.
    public init(_ store: PostgreSQLStore, observer: (any LedgerObserver)? = nil) {
        self.store = store
        let (hash, arms, nonces) = (store.limitHash, ExposureNumbers(), NoncePartitions())
        commits = store.groupCommitAudited("record signatures", maxPerBatch: Self.maxPerBatch, observer: observer) {
            jobs, transaction, audit in
            let batch = LedgerBatch(jobs, LimitHash(hash))
            let partitions = try nonces.partitions(of: batch.keys.series, transaction)
            let facts = try LedgerFinding.run(batch.keys, partitions, transaction)
            let decision = batch.decide(facts)
            var writing = LedgerWriting(facts, partitions, audit, transaction)
            try writing.run(batch, decision, arms)
            return decision.outcomes
        }
    }

    /// Queues submissions for the next transaction.
    public func record(_ submissions: [LedgerSubmission], completion: @escaping Completion) {
        commits.submit(submissions, completion: completion)
    }

    /// The answer stored under an idempotency key. Returns once the answer is fully durable.
    public func answer(caller: String, key: String, now: Instant) async throws(StoreError) -> IdempotencyRecord? {
        let record = try await store.read("look up an idempotency key") { transaction in
            let sql = "SELECT caller, key, request_digest, answer, created_at FROM idempotency WHERE caller = $1 AND key = $2"
            return try transaction.run(sql, .text(caller), .text(key)).first(IdempotencyRecord.init)
        }
        guard let record, record.createdAt.advanced(by: IdempotencyRecord.lifetime) > now else { return nil }
        try await store.write("make sure of an answer", .latest) { $0.enqueue(.barrier) }
        return record
    }

    /// The entry that contains a nonce.
    public func entry(nonce: UUID) async throws(StoreError) -> LedgerEntry? { try await entries(of: [nonce]).first }

    /// Finds rows by the series of the nonces, in one read.
    public func entries(of nonces: [UUID]) async throws(StoreError) -> [LedgerEntry] {
        guard !nonces.isEmpty else { return [] }
        let entries = try await store.read("look up nonces") { transaction in
            let sql = """
                SELECT \(LedgerEntry.columns) FROM signed_request
                WHERE id IN (SELECT signed_request FROM nonce_series WHERE series = ANY($1))
                """
            return try transaction.run(sql, .numbers(nonces.map(\.seriesNumber))).map { try LedgerEntry($0) }
        }
        let wanted = Set(nonces)
        return entries.filter { entry in entry.signatures.contains { wanted.contains($0.nonce) } }
    }

    /// Finds rows by the index on customers.
    public func refusals(
        customerID: String,
        partition: AppPartition,
        limit: Int
    ) async throws(StoreError) -> [LedgerRefusals] {
        try await store.read("look up refusals") { transaction in
            let sql = """
                SELECT \(LedgerRefusals.columns) FROM refused_request WHERE customer_id = $1 AND bundle_id = $2
                ORDER BY refused_at DESC, id DESC LIMIT $3
                """
            return try transaction.run(sql, .text(customerID), .text(partition.name), .number(Int64(limit)))
                .map { try LedgerRefusals($0) }
        }
    }

    /// Reads only rows of a stretch of time.
    public func entries(
        naming ids: Set<String>,
        partition: AppPartition,
        in slice: AuditSlice
    ) async throws(StoreError) -> [LedgerEntry] {
        try await store.scan("look for a customer's signatures") { transaction in
            try AuditTable.signatures.namingRows(ids, [partition], in: slice, LedgerEntry.columns, transaction)
                .map { try LedgerEntry($0) }
        }
    }

    /// Reads only rows of a stretch of time.
    public func refusals(
        naming ids: Set<String>,
        partition: AppPartition,
        in slice: AuditSlice
    ) async throws(StoreError) -> [LedgerRefusals] {
        try await store.scan("look for a customer's refusals") { transaction in
            try AuditTable.refusals.namingRows(ids, [partition], in: slice, LedgerRefusals.columns, transaction)
                .map { try LedgerRefusals($0) }
        }
    }

    /// Reads the latest signing time of each chain.
    public func latestInstant() async throws(StoreError) -> Instant? {
        try await store.read("read the latest instant") { try ClockRecord($0).latest }
    }
}

extension SQLStatement {
    /// Makes the commit wait until everything visible has reached all standbys that commits wait for.
    ///
    /// A visible row may not have reached them yet, and a read alone does not wait for them.
    static let barrier = SQLStatement("SELECT pg_logical_emit_message(true, 'offersigner', '')")
}

extension PostgreSQLLedger {
    /// Counts all in one transaction.
    public func count(_ redemptions: [CountedRedemption]) async throws(StoreError) {
        guard !redemptions.isEmpty else { return }
        try await store.write("count redemptions", .latest) { [hash = store.limitHash] transaction in
            let hash = LimitHash(hash)
            var locked: Set<LimitKey> = []
            while true {
                let rows = try RedemptionRows(redemptions, hash, isLocked: !locked.isEmpty, transaction)
                let names = rows.names(hash)
                if names.isSubset(of: locked) { return try rows.count(hash, transaction) }
                // The uses under a name must not change while a batch of signatures reads them. Once the names' rows are
                // locked, the uses are read again.
                locked.formUnion(names)
                var looks = Looks()
                LimitRows.lock(locked, &looks)
                try looks.run(transaction)
            }
        }
    }

    /// Deletes the oldest first.
    public func pruneReservations(now: Instant, limit: Int) async throws(StoreError) -> Int {
        try await store.write("drop lapsed reservations", .latest) { transaction in
            let due = try transaction.run(
                "SELECT nonce, held FROM reservation WHERE until <= $1 ORDER BY until LIMIT $2", .instant(now),
                .number(Int64(limit))
            ).map { (nonce: $0.bytes(0), held: $0.numbers(1)) }
            // Totals are locked before signatures, as where redemptions are counted, so that neither waits for the other.
            var looks = Looks()
            LimitRows.lock(Set(due.flatMap(\.held).map { LimitKey($0) }), &looks)
            try looks.run(transaction)
            let gone = try transaction.run(
                """
                DELETE FROM reservation WHERE nonce IN (
                    SELECT nonce FROM reservation WHERE nonce = ANY($1) FOR UPDATE SKIP LOCKED)
                RETURNING nonce, until, names || staying_names || held, held
                """, .blobs(due.map(\.nonce))
            ).map(LapsedReservation.init)
            try LapsedReservation.subtract(gone, transaction)
            return gone.count
        }
    }
}
