import GRDB
import Glibc

/// A file of the embedded store: this one with signatures, access keys and secrets. One machine, no set-up.
public struct SQLiteStore: Sendable {
    let pool: DatabasePool
    private let files: StoreFileGuard

    /// Opens the file, creating it on first use, and brings its schema up to date.
    ///
    /// Throws when it cannot be opened, when a newer release has migrated it, or when it cannot commit durably.
    public init(path: String) throws(StoreError) {
        try self.init(path: path, SQLiteMigrations.signatures)
    }

    /// - Parameters:
    ///   - cacheMebibytes: memory of each connection for pages.
    ///   - mappedMebibytes: how much of the file is read in place; only for a file that seldom changes, since a commit makes
    ///     every reader map it anew.
    init(
        path: String,
        _ migrator: DatabaseMigrator,
        cacheMebibytes: Int = 16,
        mappedMebibytes: Int = 0
    ) throws(StoreError) {
        do {
            let folder = SQLiteStore.folder(of: path)
            try SQLiteStore.create(folder)
            let lock = FolderLock(folder)
            defer { lock.release() }
            try SQLiteStore.makePrivate(path)
            pool = try DatabasePool(path: path, configuration: SQLiteStore.configuration(cacheMebibytes, mappedMebibytes))
            try SQLiteStore.migrate(pool, migrator)
            try SQLiteStore.makeDurable(pool)
        } catch {
            throw StoreError(wrapping: error, doing: "open \(path)")
        }
        files = StoreFileGuard(path: path)
    }

    /// Moves the log into the file and closes every connection once their work is done.
    public func close() throws(StoreError) {
        do {
            // GRDB closes its readers last, and they cannot do it: the file would lack what only the log holds.
            pool.writeWithoutTransaction { _ = try? $0.checkpoint(.truncate) }
            try pool.close()
        } catch {
            throw StoreError(wrapping: error, doing: "close the store")
        }
    }

    /// Runs a read on a connection of its own, beside the writer.
    func read<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do { return try await pool.read(body) } catch { throw StoreError(wrapping: error, doing: purpose) }
    }

    /// Runs a write in a transaction of its own.
    func write<Value: Sendable>(
        _ purpose: String,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.writeWithoutTransaction { database in
                try check(database)
                var value: Value?
                try database.inTransaction(.immediate) {
                    value = try body(database)
                    return .commit
                }
                return value!
            }
        } catch {
            throw StoreError(wrapping: error, doing: purpose)
        }
    }

    /// Throws when what is written now would not be where it is looked for later; on the writer, outside a transaction.
    func check(_ database: Database) throws(StoreError) {
        do {
            try files.check()
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

    private static func configuration(_ cacheMebibytes: Int, _ mappedMebibytes: Int) -> Configuration {
        var configuration = Configuration()
        configuration.label = "store"
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            // A longer log makes checkpoints rarer, and cheaper a row.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 16000")
            try database.execute(sql: "PRAGMA cache_size = -\(cacheMebibytes * 1000)")
            try database.execute(sql: "PRAGMA mmap_size = \(mappedMebibytes << 20)")
        }
        return configuration
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func create(_ folder: String) throws(StoreError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw StoreError(.unavailable, "\(folder): \(String(cString: strerror(errno)))")
        }
    }

    // It holds customers' ids and the secret of the nonces, and may come from a back-up that everybody can read. SQLite gives its other
    // files the same rights.
    private static func makePrivate(_ path: String) throws(StoreError) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let isThere = file >= 0 || errno == EEXIST
        if file >= 0 { Glibc.close(file) }
        // Not opened if it is there: closing it again would end locks that this process has on it.
        var status = stat()
        guard isThere, access(path, R_OK | W_OK) == 0, stat(path, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreError(.unavailable, "\(path): \(reason); file and folder must belong to the user with the id \(geteuid())")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(.unavailable, "\(path): not a regular file") }
        guard status.st_mode & 0o077 != 0 else { return }
        guard chmod(path, status.st_mode & 0o700) == 0 else {
            throw StoreError(.unsuitable, "\(path): others may read it, and it belongs to somebody else; run: chmod 600 \(path)")
        }
        for log in ["\(path)-wal", "\(path)-shm"] { chmod(log, 0o600) }
    }

    private static func migrate(_ pool: DatabasePool, _ migrator: DatabaseMigrator) throws {
        guard try !pool.read(migrator.hasBeenSuperseded) else {
            throw StoreError(
                .newerSchema,
                "a newer or an unreleased build of OfferSigner has changed this store; use that one, or begin with a new store")
        }
        try migrator.migrate(pool)
    }

    // GRDB opens a pool with NORMAL, under which a commit can be lost with the power; FULL has it on the disk when it returns.
    private static func makeDurable(_ pool: DatabasePool) throws {
        let (mode, synchronous) = try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            return (
                try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(database, sql: "PRAGMA synchronous")
            )
        }
        guard mode == "wal", synchronous == 2 else {
            throw StoreError(.unsuitable, "SQLite does not commit durably here (journal \(mode ?? "?"), \(synchronous ?? -1))")
        }
    }
}

extension StoreError {
    /// Any error of GRDB's as one of ours.
    init(wrapping error: any Error, doing purpose: String) {
        if let error = error as? StoreError {
            self = error
        } else if let failure = error as? StatementFailure {
            self.init(.unavailable, "could not \(purpose): SQLite says \(failure.message)")
        } else if let error = error as? DatabaseError {
            self.init(.unavailable, "could not \(purpose): SQLite says \(error.message ?? "\(error.resultCode)")")
        } else {
            self.init(.unavailable, "could not \(purpose): \(error)")
        }
    }
}
