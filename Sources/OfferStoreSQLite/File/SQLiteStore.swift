import GRDB
import Glibc
public import OfferStore

/// A file of the embedded store: this one with signatures, access keys and secrets. One machine, no set-up.
public struct SQLiteStore: Sendable {
    private static let patience = Duration.seconds(10)

    private static let readers = 4

    let pool: DatabasePool
    /// Half of the readers.
    let scans = ScanTurns(readers / 2)
    let files: StoreFileGuard
    let checkpoints: LogCheckpoints
    /// Nil for a file that has no part in the audit log.
    let audit: AuditWriter?
    /// Whether it is written to although it was copied to a database.
    let isCopiedAwayAccepted: Bool

    /// Opens the file, creating it on first use, and brings its schema up to date.
    ///
    /// Throws when it cannot be opened, when a newer release has migrated it, or when it cannot commit durably.
    ///
    /// - Parameters:
    ///   - audit: the cryptography of the audit log.
    ///   - isCopiedAwayAccepted: false throws where the store was copied to a database, which is served in its place.
    ///   - onWait: is told if another process is opening it, for which it waits 10 s at most.
    public init(
        path: String,
        audit: AuditFunctions,
        isCopiedAwayAccepted: Bool = false,
        onWait: (String) -> Void = { _ in }
    ) throws(StoreError) {
        try self.init(
            path: path, SQLiteMigrations.signatures, audit: audit, isCopiedAwayAccepted: isCopiedAwayAccepted, onWait: onWait)
    }

    /// - Parameters:
    ///   - functions: the cryptography of the audit log; nil for a file that has no part in it.
    ///   - isCopiedAwayAccepted: false throws where the store was copied to a database.
    ///   - cacheMebibytes: memory of each connection for pages.
    ///   - mappedMebibytes: how much of the file is read in place; only for a file that seldom changes, since a commit makes
    ///     every reader map it anew.
    init(
        path: String,
        _ migrator: DatabaseMigrator,
        audit functions: AuditFunctions? = nil,
        isCopiedAwayAccepted: Bool,
        cacheMebibytes: Int = 16,
        mappedMebibytes: Int = 0,
        onWait: (String) -> Void
    ) throws(StoreError) {
        do {
            try SQLiteStore.create(SQLiteStore.folder(of: path))
            let lock = try SQLiteStore.lock(path, onWait)
            defer { lock.release() }
            try SQLiteStore.makePrivate(path)
            let configuration = SQLiteStore.configuration(cacheMebibytes, mappedMebibytes)
            let pool = try DatabasePool(path: path, configuration: configuration)
            self.pool = pool
            self.isCopiedAwayAccepted = isCopiedAwayAccepted
            try SQLiteStore.migrate(pool, migrator)
            try SQLiteStore.makeDurable(pool)
            files = try pool.writeWithoutTransaction { database in
                try StoreFileGuard(path: path, storeID: SQLiteStore.storeID(database), database)
            }
            checkpoints = try LogCheckpoints(pool, configuration)
            if !isCopiedAwayAccepted { try pool.read(CopiedAway.requireNot) }
            audit = try functions.map { functions in try pool.write { try AuditWriter(functions, $0) } }
        } catch {
            throw StoreError(wrapping: error, doing: "open \(path)")
        }
    }

    /// Moves the log into the file and closes every connection once their work is done.
    ///
    /// Files that were changed from outside are left as they are.
    public func close() throws(StoreError) {
        pool.writeWithoutTransaction { _ = try? files.check($0) }
        guard files.failure == nil else {
            // SQLite copies the log when it closes, by an index that is no longer true.
            _ = Unmanaged.passRetained(pool)
            return
        }
        do {
            // GRDB closes its readers last, and they cannot do it: the file would lack what only the log holds.
            try checkpoints.close()
            pool.writeWithoutTransaction { _ = try? $0.checkpoint(.truncate) }
            try pool.close()
        } catch {
            throw StoreError(wrapping: error, doing: "close the store")
        }
    }

    private static func configuration(_ cacheMebibytes: Int, _ mappedMebibytes: Int) -> Configuration {
        var configuration = Configuration()
        configuration.label = "store"
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = readers
        configuration.prepareDatabase { database in
            // They are made beside the writer.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
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
        try checkLog(path)
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

    // SQLite deletes the log of a file that is empty.
    private static func checkLog(_ path: String) throws(StoreError) {
        var (status, log) = (stat(), stat())
        let size = stat(path, &status) == 0 ? status.st_size : 0
        guard size == 0, stat("\(path)-wal", &log) == 0, log.st_size > 0 else { return }
        throw StoreError(
            .damaged,
            "\(path) is missing or empty, but its log is not: put the right file back, "
                + "or restore a backup and put \(path)-wal aside")
    }

    private static func lock(_ path: String, _ onWait: (String) -> Void) throws(StoreError) -> StoreLock {
        let lock = try StoreLock(.opening, of: path)
        let file = StoreLock.file(of: path)
        let isOurs = lock.take(patience: patience) { onWait("another process is opening the store; waiting for \(file)") }
        guard isOurs else {
            lock.release()
            throw StoreError(.unavailable, "another process has been opening the store for 10 s; end it: fuser \(file)")
        }
        return lock
    }

    // Made once, kept in the header of the file. SQLite leaves the number to its users.
    private static func storeID(_ database: Database) throws -> UInt32 {
        if let id = try Int32.fetchOne(database, sql: "PRAGMA user_version"), id != 0 { return UInt32(bitPattern: id) }
        let id = try Int32.fetchOne(database, sql: "SELECT abs(random() % 2147483647) + 1")!
        try database.execute(sql: "PRAGMA user_version = \(id)")
        _ = try? database.checkpoint(.passive)
        return UInt32(bitPattern: id)
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
