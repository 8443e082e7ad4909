package import GRDB
public import OfferStore

extension SQLiteStore: StoredFile {
    /// Looks something up: reads a few rows by an index, beside the writer.
    ///
    /// The answer to a request for signatures may wait for this read. Whatever may read many rows is a `scan`.
    package func read<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try checkIntact()
        // `pool.read` would hold the connection until the task resumes, which can take long when its threads are busy.
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            pool.asyncRead { database in
                continuation.resume(returning: Result { try body(database.get()) })
            }
        }
        do { return try result.get() } catch { throw StoreError(wrapping: error, doing: purpose) }
    }

    /// Reads what a process must know before a revocation takes effect in it, and waits for no other read.
    ///
    /// These are access keys, decisions about signing keys and revisions.
    package func readUrgently<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(on: urgentLane, purpose, body)
    }

    /// Runs a read of many rows. It waits for other scans, and delays neither other reads nor the event loops.
    ///
    /// One call reads a bounded part of a table, so that other scans get their turn.
    package func scan<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(on: scanLane, purpose, body)
    }

    private func read<Value: Sendable>(
        on lane: ReadLane,
        _ purpose: String,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try checkIntact()
        do { return try await lane.run(body).get() } catch { throw StoreError(wrapping: error, doing: purpose) }
    }

    /// Runs a read on the calling thread, for commands.
    func readHere<Value>(_ purpose: String, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try checkIntact()
        do { return try pool.read(body) } catch { throw StoreError(wrapping: error, doing: purpose) }
    }

    /// Checks in the same way as a write whether the files are writable.
    public func look() async throws(StoreError) {
        do {
            try await pool.writeWithoutTransaction { database in
                try check(database)
                try requireOwnState(database)
                do { try schema.look(database) } catch { throw given(up: error) }
                // If the note cannot be written, the next look tries again.
                try? position.update(database)
            }
        } catch {
            throw StoreError(wrapping: error, doing: "look at the store")
        }
    }

    /// Throws once the store was copied to a database, or set back to an earlier state.
    ///
    /// This process knows secrets that are deleted when the files are reinstated, so it must not use the files again.
    private func requireOwnState(_ database: Database) throws {
        do {
            if !isCopiedAwayAccepted { try CopiedAway.requireNot(database) }
            try position.check(database)
        } catch {
            throw given(up: error)
        }
    }

    /// Makes every later use of the store fail as well, and returns the error.
    private func given(up error: any Error) -> any Error {
        if let error = error as? StoreError { files.fail(error) }
        return error
    }

    /// Runs a write in its own transaction.
    func write<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.writeWithoutTransaction { try durably(purpose, $0) { database, _ in try body(database) } }
        } catch {
            throw StoreError(wrapping: error, doing: purpose)
        }
    }

    /// Creates a queue of group commits on this file's writer.
    ///
    /// - Parameters:
    ///   - purpose: the purpose of the writes, for error messages.
    ///   - write: writes the submissions of several callers, inside a transaction. Also receives whether nothing was committed
    ///     since this queue's previous transaction.
    func groupCommit<Submission, Outcome>(
        _ purpose: String,
        maxPerBatch: Int,
        observer: (any LedgerObserver)? = nil,
        write: @escaping @Sendable ([[Submission]], Database, Bool) throws -> [[Outcome]]
    ) -> GroupCommit<Submission, Outcome> {
        let watch = CommitWatch()
        return GroupCommit(maxPerBatch: maxPerBatch, observer: observer) { turn in
            pool.asyncWriteWithoutTransaction { database in
                turn { jobs throws(StoreError) in try durably(purpose, database, watch) { try write(jobs, $0, $1) } }
            }
        }
    }

    private func durably<Value>(
        _ purpose: String,
        _ database: Database,
        _ watch: CommitWatch? = nil,
        _ body: (Database, _ isUndisturbed: Bool) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            try check(database)
            let value = try database.inImmediateTransaction { database in
                let isUndisturbed = try watch?.begin(database) ?? false
                audit?.begin(isUndisturbed: isUndisturbed)
                if !isUndisturbed { try requireOwnState(database) }
                try position.advance(database)
                return try body(database, isUndisturbed)
            }
            audit?.commit()
            watch?.commit(database)
            return value
        } catch {
            throw StoreError(wrapping: error, doing: purpose)
        }
    }

    /// Compares the schema, and runs SQLite's check of tables and indexes.
    public func examine() async throws(StoreError) {
        try await scan("examine the store") { database in
            try schema.examine(database)
            let fault = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? "integrity_check gives no answer"
            guard fault == "ok" else {
                throw StoreError(
                    .damaged, "\(pool.path): SQLite finds: \(fault); restore a backup, or keep a copy and ask for help")
            }
        }
    }

    /// Rewrites the file with VACUUM.
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

    /// Lets services use the store again.
    public func reinstate() async throws(StoreError) {
        try await write("take the store up again") { try CopiedAway.forget($0) }
        do { try await pool.writeWithoutTransaction { try position.begin($0, isNew: true) } } catch {
            throw StoreError(wrapping: error, doing: "note the store's position")
        }
    }

    /// Throws once the files were tampered with in a way that only a restart can repair: reads may be wrong.
    public func checkIntact() throws(StoreError) { if let failure = files.failure { throw failure } }

    /// Throws if a row written now could be lost. Called on the writer, outside a transaction.
    private func check(_ database: Database) throws(StoreError) {
        do {
            checkpoints.note(try files.check(database))
        } catch {
            // Only this connection still has the removed log open. The checkpoint saves what a restart would lose.
            guard error.code == .logRemoved else { throw error }
            do { _ = try database.checkpoint(.truncate) } catch let failure {
                throw StoreError(
                    .unavailable, "the store's log was removed, and what it held is not saved yet (\(failure)); do not restart")
            }
            throw error
        }
    }
}
