public import OfferStore
package import OfferStoreSQL

/// A schema of a PostgreSQL database that any number of processes share.
public final class PostgreSQLStore: StoredFile {
    /// The hash for places of customers' names.
    let customerHash: SipHash
    /// The hash for keys of limit names.
    let limitHash: SipHash
    /// Whether changes of histories make events.
    let keepsEvents: Bool
    /// How many rows a search reads before others get their turn: as many as take some milliseconds.
    package let rowsPerSlice: Int64
    /// The audit log's writer; nil if nothing is signed.
    let audit: AuditWriter?
    private let isStandbyRequired: Bool
    private let writer: SessionThread
    /// Writes signatures and everything recorded in the audit log, as one session owns the chains.
    private let signer: SessionThread
    /// The sessions that read access keys, decisions about signing keys and revisions; that look something up; that read many
    /// rows.
    private let (urgentReader, readers, scanners): (SessionPool, SessionPool, SessionPool)
    private let separateThread: SessionThread
    private let position: DatabasePosition
    let schema = PostgreSQLSchemaWatch()

    /// Connects, and migrates the schema.
    ///
    /// Throws if the address is malformed, the database is unavailable, a newer release has migrated it, its schema is not what
    /// the migrations make, or it is behind what this machine knows of it.
    ///
    /// - Parameters:
    ///   - address: a connection string or URI of libpq. The schema is the first in its `search_path`.
    ///   - readers: number of sessions for look-ups.
    ///   - isStandbyRequired: whether `look` fails unless commits wait for a standby.
    ///   - audit: the cryptographic functions of the audit log; nil if nothing is signed.
    ///   - keepsEvents: whether changes of histories make events.
    ///   - positionFile: the file that remembers, from one start to the next, how far the database has come; nil for none.
    ///   - acceptance: which databases are opened besides the one that was used here last.
    ///   - rowsPerSlice: how many rows a search reads before others get their turn.
    public init(
        _ address: String,
        readers: Int = 4,
        isStandbyRequired: Bool = false,
        audit functions: AuditFunctions? = nil,
        keepsEvents: Bool = false,
        positionFile: String? = nil,
        accepting acceptance: StoreAcceptance = .current,
        rowsPerSlice: Int64 = 10_000
    ) throws(StoreError) {
        try Self.check(address)
        self.rowsPerSlice = rowsPerSlice
        try PoolerCheck.run(address)
        self.isStandbyRequired = isStandbyRequired
        self.keepsEvents = keepsEvents
        let isNew = try Self.migrate(address)
        let position = try DatabasePosition(file: positionFile, acceptsAll: acceptance == .earlier, isNew: isNew)
        self.position = position
        let check: @Sendable (Session) throws -> Void = { try position.check($0, isStart: false) }
        let apps = AppNumbers()
        writer = SessionThread(address, label: "postgresql.writer", apps: apps, whenOpened: check)
        signer = SessionThread(address, label: "postgresql.signer", apps: apps, whenOpened: check)
        separateThread = SessionThread(address, label: "postgresql.beside", apps: apps, whenOpened: check)
        urgentReader = SessionPool(address, label: "postgresql.urgent", count: 1, apps: apps, whenOpened: check)
        self.readers = SessionPool(address, label: "postgresql.reader", count: readers, apps: apps, whenOpened: check)
        scanners = SessionPool(address, label: "postgresql.scan", count: 2, apps: apps, whenOpened: check)
        let first = SessionThread(address, label: "postgresql.first") { try position.check($0, isStart: true) }
        defer { first.close() }
        (customerHash, limitHash, audit) = try first.sync { thread throws(StoreError) in
            try thread.transaction("read the store's keys", .latest) { transaction in
                let keys = try ["customer_hash", "limit_hash"].map { table in
                    try transaction.run("SELECT key FROM \(table)").first { $0.bytes(0) }!
                }
                let audit = try functions.map { try AuditWriter($0, transaction) }
                return (SipHash(key: keys[0]), SipHash(key: keys[1]), audit)
            }
        }
        try position.write()
    }

    /// Brings the schema up to date. Returns whether the database had no store.
    @discardableResult
    static func migrate(_ address: String, _ migrations: PostgreSQLMigrations = .own) throws(StoreError) -> Bool {
        let thread = SessionThread(address, label: "postgresql.migrations")
        defer { thread.close() }
        return try thread.sync { thread throws(StoreError) in
            try thread.namingHolders { () throws(StoreError) in
                try thread.transaction("bring the schema up to date", .latest) { try migrations.run($0) }
            }
        }
    }

    /// Looks something up: reads a few rows by an index, beside the writers.
    ///
    /// The answer to a request for signatures may wait for this read. Whatever may read many rows is a `scan`.
    package func read<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(in: readers, purpose, body)
    }

    /// Reads what a process must know before a revocation takes effect in it, and waits for no other read.
    ///
    /// These are access keys, decisions about signing keys and revisions.
    package func readUrgently<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(in: urgentReader, purpose, body)
    }

    /// Runs a read of many rows. It waits for other scans, and delays no other read.
    ///
    /// One call reads a bounded part of a table, so that other scans get their turn.
    package func scan<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(in: scanners, purpose, body)
    }

    private func read<Value: Sendable>(
        in pool: SessionPool,
        _ purpose: String,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        let result = await withCheckedContinuation { continuation in
            read(in: pool, purpose, body) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Looks something up, like the other `read`. Calls `completion` on any thread.
    func read<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Transaction) throws -> Value,
        completion: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        read(in: readers, purpose, body, completion: completion)
    }

    private func read<Value: Sendable>(
        in pool: SessionPool,
        _ purpose: String,
        _ body: @escaping @Sendable (Transaction) throws -> Value,
        completion: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        pool.async { thread in
            completion(Result { () throws(StoreError) in try thread.transaction(purpose, .snapshot, body) })
        }
    }

    /// Runs a short write that must not wait for this process's other work.
    func writeSeparately<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await separateThread.run { thread throws(StoreError) in try thread.transaction(purpose, .latest, body) }
    }

    /// Runs a write in its own transaction. Calls `body` again after a conflict with another process.
    package func write<Value: Sendable>(
        _ purpose: String,
        _ isolation: SQLIsolation = .serializable,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await writer.run { thread throws(StoreError) in try thread.transaction(purpose, isolation, body) }
    }

    /// Runs a write that the audit log records, on the session of its chains.
    package func writeAudited<Value: Sendable>(
        _ purpose: String,
        _ isolation: SQLIsolation = .serializable,
        _ body: @escaping @Sendable (Transaction, AuditWriter) throws -> Value
    ) async throws(StoreError) -> Value {
        try await signer.run { [self] thread throws(StoreError) in try audited(thread, purpose, isolation, body) }
    }

    private func audited<Value>(
        _ thread: SessionThread,
        _ purpose: String,
        _ isolation: SQLIsolation,
        _ body: (Transaction, AuditWriter) throws -> Value
    ) throws(StoreError) -> Value {
        try schema.requireWhole()
        let audit = audit!
        return try thread.transaction(purpose, isolation) { transaction in
            audit.begin()
            transaction.afterCommit { [position] in
                audit.commit()
                position.passed(audit.state.chains)
            }
            transaction.ifUnknown { audit.abandonChains() }
            return try body(transaction, audit)
        }
    }

    /// Creates a queue of group commits on the writer.
    ///
    /// - Parameters:
    ///   - purpose: the purpose of the writes, for error messages.
    ///   - isolation: the isolation of the transactions.
    ///   - write: writes the submissions of several callers in a transaction. Called again after a conflict with another process.
    package func groupCommit<Submission, Outcome>(
        _ purpose: String,
        _ isolation: SQLIsolation = .serializable,
        maxPerBatch: Int,
        write: @escaping @Sendable ([[Submission]], Transaction) throws -> [[Outcome]]
    ) -> GroupCommit<Submission, Outcome> {
        GroupCommit(maxPerBatch: maxPerBatch) { [writer] turn in
            writer.async { thread in
                turn { jobs throws(StoreError) in
                    try thread.transaction(purpose, isolation) { try write(jobs, $0) }
                }
            }
        }
    }

    /// Creates a queue for writes that the audit log records, on the session of its chains. `write` must lock what it reads.
    func groupCommitAudited<Submission, Outcome>(
        _ purpose: String,
        maxPerBatch: Int,
        observer: (any LedgerObserver)?,
        write: @escaping @Sendable ([[Submission]], Transaction, AuditWriter) throws -> [[Outcome]]
    ) -> GroupCommit<Submission, Outcome> {
        GroupCommit(maxPerBatch: maxPerBatch, observer: observer) { [self] turn in
            signer.async { [self] thread in
                turn { jobs throws(StoreError) in
                    try audited(thread, purpose, .latest) { try write(jobs, $0, $1) }
                }
            }
        }
    }

    /// Checks whether the database would accept a write, and keep it.
    ///
    /// It also compares the schema. While the schema differs from the expected one, nothing is written that the audit log
    /// records.
    public func look() async throws(StoreError) {
        try await write("look at the store") { [isStandbyRequired, position] transaction in
            let (isReadOnly, waits) = try transaction.run(
                """
                SELECT current_setting('transaction_read_only')::boolean, current_setting('synchronous_standby_names') <> ''
                """
            ).first { ($0.flag(0), $0.flag(1)) }!
            if isReadOnly {
                throw StoreError(.unavailable, "the database accepts no writes: it is a standby, or set to read only")
            }
            guard waits || !isStandbyRequired else {
                throw StoreError(
                    .unsuitable,
                    "the database's commits wait for no standby, which store.requireSynchronousStandby demands: set PostgreSQL's "
                        + "synchronous_standby_names")
            }
            try position.update(transaction)
        }
        try await schema.look(self)
    }

    /// Compares the schema, and recomputes the totals of limits. For tables and indexes, use PostgreSQL's own tools.
    public func examine() async throws(StoreError) {
        let wrong = try await scan("examine the store") { transaction in
            transaction.waitLong()
            try PostgreSQLSchema.requireLatest(transaction)
            return try transaction.run(
                """
                SELECT count(*) FROM (SELECT limit_key, outstanding FROM offer_limit WHERE outstanding <> 0) AS kept
                FULL JOIN (
                    SELECT limit_key, count(*) AS outstanding FROM reservation, unnest(held) AS limit_key
                    GROUP BY limit_key
                ) AS counted USING (limit_key)
                WHERE kept.outstanding IS DISTINCT FROM counted.outstanding
                """
            ).first { $0.number(0) }!
        }
        guard wrong == 0 else {
            throw StoreError(.damaged, "\(wrong) limits count another number of places than there are")
        }
    }

    /// Lets services use the database again, and notes how far it has come now.
    public func reinstate() async throws(StoreError) {
        let id = (0..<8).map { _ in UInt8.random(in: .min ... .max) }
        try await write("note that the database was restored", .latest) { $0.enqueue(.noteRestore(id)) }
        try await writer.run { [position] thread throws(StoreError) in
            try thread.withSession("note how far the database has come") { try position.adopt($0) }
        }
    }

    /// Does nothing: no change of a database requires a restart of the service.
    public func checkIntact() {}

    /// Waits for running work, and ends all sessions.
    public func close() {
        writer.close()
        signer.close()
        for pool in [urgentReader, readers, scanners] { pool.close() }
        separateThread.close()
        try? position.write()
    }
}
