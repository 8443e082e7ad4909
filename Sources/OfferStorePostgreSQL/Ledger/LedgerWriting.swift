import EligibilityRules
import OfferStore
import OfferStoreSQL

/// Writes the decision on a batch of submissions, together with the commit.
struct LedgerWriting {
    private let transaction: Transaction
    private let audit: AuditWriter
    private let facts: LedgerFacts
    private var requests: SignedRequestRows
    private var refusals = RefusedRequestRows()
    private var reservations = ReservationRows()
    private var tally = TallyRows()
    private var events: [AuditEvent] = []
    private var exposures: [Exposure] = []
    private var refused: [LedgerRefusals] = []
    private var answers: [IdempotencyRecord] = []
    /// Whether what was read must be as durable as a write, although nothing is written.
    private var needsBarrier = false

    /// - Parameters:
    ///   - facts: what was found for the batch.
    ///   - partitions: the partitions of the nonces, by day of issue.
    init(_ facts: LedgerFacts, _ partitions: [Int64: Int64], _ audit: AuditWriter, _ transaction: Transaction) {
        (self.facts, self.audit, self.transaction) = (facts, audit, transaction)
        requests = SignedRequestRows(partitions)
    }

    mutating func run(_ batch: LedgerBatch, _ decision: LedgerDecision, _ arms: ExposureNumbers) throws {
        var number = 0
        for job in batch.jobs.indices {
            for index in batch.jobs[job].indices {
                defer { number += 1 }
                switch decision.outcomes[job][index] {
                case .recorded:
                    try append(batch.jobs[job][index], batch.keys.names[batch.firstName(of: number)...], decision.places)
                // A standby may not have received the transaction that wrote this answer.
                case .answeredBefore: needsBarrier = true
                case .nonceReplayed, .limited, .idempotencyKeyReused, .keyRevoked, .callerRevoked: break
                }
            }
        }
        // Refusals come after all signatures, so that processes that open chains at the same time do so in the same order.
        for refused in refused { try refusals.append(refused, audit, transaction) }
        try requests.enqueue(transaction)
        try refusals.enqueue(transaction)
        try tally.enqueue(audit.state.chains, transaction)
        try audit.insert(events, transaction)
        try ExposureRows.enqueue(exposures, arms: arms, transaction)
        ExposureRows.enqueue(holders: decision.holders, known: facts.holders, transaction)
        try reservations.enqueue(transaction)
        enqueueAnswers()
        let passedOn = decision.places.passedOn.map { (nonce: $0.nonce!, until: $0.until, total: $1) }
        try ReservationRows.release(passedOn, transaction)
        try LimitRows.add(decision.places.added.mapValues { LimitTotal(outstanding: $0) }, transaction)
        if needsBarrier { transaction.enqueue(.barrier) }
    }

    /// - Parameter names: the names of the submission's reservations, and all that follow.
    private mutating func append(
        _ submission: LedgerSubmission,
        _ names: ArraySlice<LedgerKeys.Name>,
        _ places: PlaceChanges
    ) throws {
        if let entry = submission.entry {
            let request = try requests.append(entry, audit, transaction)
            tally.append(entry)
            reservations.append(submission.reservations, names, places, request: request)
        }
        if let refusals = submission.refusals {
            refused.append(refusals)
            tally.append(refusals)
        }
        exposures += submission.exposures
        events += submission.auditEvents
        if let record = submission.idempotency { answers.append(record) }
        if submission.isEmpty, submission.probes.isEmpty { needsBarrier = true }
    }

    /// Stores answers under their idempotency keys.
    ///
    /// If another process has taken a key meanwhile, the transaction fails and is retried.
    private func enqueueAnswers() {
        let (old, new) = (
            answers.filter { facts.answers[LedgerKeys.Answer($0)] != nil },
            answers.filter { facts.answers[LedgerKeys.Answer($0)] == nil }
        )
        enqueue(
            new,
            """
            INSERT INTO idempotency (caller, key, request_digest, answer, created_at) SELECT * FROM unnest($1, $2, $3, $4, $5)
            """)
        enqueue(
            old,
            """
            UPDATE idempotency SET request_digest = new.request_digest, answer = new.answer, created_at = new.created_at
            FROM unnest($1, $2, $3, $4, $5) AS new (caller, key, request_digest, answer, created_at)
            WHERE idempotency.caller = new.caller AND idempotency.key = new.key
            """)
    }

    private func enqueue(_ records: [IdempotencyRecord], _ sql: String) {
        guard !records.isEmpty else { return }
        let records = records.sorted { ($0.caller, $0.key) < ($1.caller, $1.key) }
        transaction.enqueue(
            SQLStatement(
                sql,
                [
                    .texts(records.map(\.caller)), .texts(records.map(\.key)), .blobs(records.map(\.requestDigest)),
                    .blobs(records.map(\.answer)), .numbers(records.map(\.createdAt.milliseconds)),
                ]))
    }
}

/// The rows that a batch adds to `refused_request`.
struct RefusedRequestRows {
    private var refusals: [LedgerRefusals] = []
    private var ids: [Int64?] = []
    private var offers: [String?] = []
    private var links: [[UInt8]?] = []
    private var chains: [Int64?] = []

    /// Adds refusals, and links their row to the audit log.
    mutating func append(_ refused: LedgerRefusals, _ audit: AuditWriter, _ transaction: Transaction) throws {
        let (id, list) = (try audit.nextID(.refusals, at: refused.refusedAt, transaction), refused.list)
        list.withUnsafeBytes { audit.row.encode(refused, id: id, offers: $0, audit.identity.keyed) }
        let (chain, link) = audit.link(.refusals, id: id)
        refusals.append(refused)
        ids.append(id)
        offers.append(String(decoding: list, as: UTF8.self))
        chains.append(chain)
        links.append(link.bytes)
    }

    func enqueue(_ transaction: Transaction) throws {
        guard !refusals.isEmpty else { return }
        try transaction.enqueue(
            """
            INSERT INTO refused_request (id, \(LedgerRefusals.columns), chain, link)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """, .numbers(ids), .numbers(refusals.map(\.refusedAt.milliseconds)), .texts(refusals.map(\.partition.name)),
            .texts(refusals.map(\.request.caller)), .texts(refusals.map(\.request.customerID)),
            .texts(refusals.map(\.request.applicationUsername)), .texts(refusals.map(\.request.transactionID)),
            .texts(refusals.map(\.request.id)), .texts(refusals.map(\.request.address)), .texts(offers), .numbers(chains),
            .blobs(links))
    }
}

/// The rows of `offer_tally` for a batch: its signed and refused offers by minute.
struct TallyRows {
    private struct Key: Hashable {
        let minute: Int64
        let table: AuditTable
        let partition: AppPartition
        let outcome: String
    }

    private var sums: [Key: (offers: Int64, latest: Instant)] = [:]

    mutating func append(_ entry: LedgerEntry) {
        add(.signatures, entry.signedAt, entry.partition, entry.keyID, entry.signatures.count)
    }

    mutating func append(_ refusals: LedgerRefusals) {
        for offer in refusals.offers { add(.refusals, refusals.refusedAt, refusals.partition, offer.reason, 1) }
    }

    private mutating func add(_ table: AuditTable, _ at: Instant, _ partition: AppPartition, _ outcome: String, _ count: Int) {
        let key = Key(minute: at.milliseconds / 60_000, table: table, partition: partition, outcome: outcome)
        let known = sums[key]
        sums[key] = ((known?.offers ?? 0) + Int64(count), max(known?.latest ?? at, at))
    }

    /// Adds to the stored sums, in rows that only this process writes.
    func enqueue(_ chains: AuditChains, _ transaction: Transaction) throws {
        guard !sums.isEmpty else { return }
        let rows = Array(sums)
        try transaction.enqueue(
            """
            INSERT INTO offer_tally (minute, table_name, bundle_id, outcome, chain, offers, latest_at)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (minute, table_name, bundle_id, outcome, chain) DO UPDATE
            SET offers = offer_tally.offers + excluded.offers, latest_at = greatest(offer_tally.latest_at, excluded.latest_at)
            """, .numbers(rows.map(\.key.minute)), .texts(rows.map(\.key.table.rawValue)),
            .texts(rows.map(\.key.partition.name)), .texts(rows.map(\.key.outcome)),
            .numbers(rows.map { chains[$0.key.table]!.chain.number }), .numbers(rows.map(\.value.offers)),
            .numbers(rows.map(\.value.latest.milliseconds)))
    }
}
