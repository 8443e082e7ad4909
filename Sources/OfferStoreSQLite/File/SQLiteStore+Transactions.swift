import GRDB
public import OfferStore

extension SQLiteStore: StoredFile {
    /// Runs a read on a connection of its own, beside the writer.
    func read<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try checkIntact()
        // `pool.read` would keep the connection until the task goes on, which can take long where its threads are busy.
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            pool.asyncRead { database in
                continuation.resume(returning: Result { try body(database.get()) })
            }
        }
        do { return try result.get() } catch { throw StoreError(wrapping: error, doing: purpose) }
    }

    /// The same for a read that looks through many rows: it waits for others like it, and no quick read waits for it.
    func scan<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        await scans.take()
        defer { scans.giveBack() }
        return try await read(purpose, body)
    }

    /// Like `read`, on the thread that calls: it takes no more of the processors than that thread may.
    func readHere<Value>(_ purpose: String, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try checkIntact()
        do { return try pool.read(body) } catch { throw StoreError(wrapping: error, doing: purpose) }
    }

    /// Looks at the files as a write would.
    public func look() async throws(StoreError) {
        do {
            try await pool.writeWithoutTransaction { database in
                try check(database)
                try requirePresence(database)
            }
        } catch {
            throw StoreError(wrapping: error, doing: "look at the store")
        }
    }

    /// Throws once the store was copied to a database. This process knows secrets that are forgotten when the files are taken up again, so
    /// it does nothing with them any more.
    private func requirePresence(_ database: Database) throws {
        guard !isCopiedAwayAccepted else { return }
        do { try CopiedAway.requireNot(database) } catch {
            if let error = error as? StoreError { files.fail(error) }
            throw error
        }
    }

    /// Runs a write in a transaction of its own.
    func write<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.writeWithoutTransaction { try durably(purpose, $0, body) }
        } catch {
            throw StoreError(wrapping: error, doing: purpose)
        }
    }

    /// A queue of group commits on this file's writer.
    ///
    /// - Parameters:
    ///   - purpose: what the writing is for, to be named in errors.
    ///   - write: writes the submissions of several callers, inside a transaction.
    func groupCommit<Submission, Outcome>(
        _ purpose: String,
        maxPerBatch: Int,
        observer: (any LedgerObserver)? = nil,
        write: @escaping @Sendable ([[Submission]], Database) throws -> [[Outcome]]
    ) -> GroupCommit<Submission, Outcome> {
        GroupCommit(maxPerBatch: maxPerBatch, observer: observer) { turn in
            pool.asyncWriteWithoutTransaction { database in
                turn { jobs throws(StoreError) in try durably(purpose, database) { try write(jobs, $0) } }
            }
        }
    }

    private func durably<Value>(
        _ purpose: String,
        _ database: Database,
        _ body: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            try check(database)
            audit?.begin()
            let value = try database.inImmediateTransaction { database in
                try requirePresence(database)
                return try body(database)
            }
            audit?.commit()
            return value
        } catch {
            throw StoreError(wrapping: error, doing: purpose)
        }
    }

    /// Has SQLite check tables and indexes.
    public func examine() async throws(StoreError) {
        try await scan("examine the store") { database in
            let fault = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? "integrity_check gives no answer"
            guard fault == "ok" else {
                throw StoreError(
                    .damaged, "\(pool.path): SQLite finds: \(fault); restore a backup, or keep a copy and ask for help")
            }
        }
    }

    /// Has SQLite write the file anew.
    public func compact() async throws(StoreError) {
        do {
            try await pool.writeWithoutTransaction { database in
                try database.execute(sql: "VACUUM")
                _ = try database.checkpoint(.truncate)
            }
        } catch {
            throw StoreError(wrapping: error, doing: "compact the store")
        }
    }

    /// Has services work on it again.
    public func reinstate() async throws(StoreError) { try await write("take the store up again") { try CopiedAway.forget($0) } }

    /// Throws once something was done to the files that only a restart mends: what is read may be wrong.
    public func checkIntact() throws(StoreError) { if let failure = files.failure { throw failure } }

    /// Throws when what is written now would not be where it is looked for later; on the writer, outside a transaction.
    private func check(_ database: Database) throws(StoreError) {
        do {
            checkpoints.note(try files.check(database))
        } catch {
            // Only this connection still has the removed log open: it saves what a restart would lose.
            guard error.code == .logRemoved else { throw error }
            do { _ = try database.checkpoint(.truncate) } catch let failure {
                throw StoreError(
                    .unavailable, "the store's log was removed, and what it held is not saved yet (\(failure)); do not restart")
            }
            throw error
        }
    }
}
