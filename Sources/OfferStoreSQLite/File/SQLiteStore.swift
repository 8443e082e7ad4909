import GRDB
import Glibc
public import OfferStore

/// A file of the embedded store, which needs no set-up and serves one machine.
///
/// By default this is the file of signatures, access keys and secrets.
public struct SQLiteStore: Sendable {
    private static let patience = Duration.seconds(10)

    private static let (readers, scanners) = (4, 2)
    // Under a full load a scan gets about a tenth of a processor.
    private static let niceness: Int32 = 10
    // The page cache of a connection that reads small tables, or each row only once.
    private static let laneCacheMebibytes = 2

    /// The writer, and the readers of look-ups.
    let pool: DatabasePool
    /// Reads access keys, decisions about signing keys and revisions.
    let urgentLane: ReadLane
    /// Reads many rows.
    let scanLane: ReadLane
    let files: StoreFileGuard
    let checkpoints: LogCheckpoints
    /// The audit log's writer; nil for a file without audit log.
    let audit: AuditWriter?
    /// What this machine knows of how far the store has come.
    let position: PositionNote
    let schema: SQLiteSchemaWatch
    /// Whether writes are allowed although the store was copied to a database.
    let isCopiedAwayAccepted: Bool
    /// How many rows a search reads before others get their turn: as many as take some milliseconds.
    package let rowsPerSlice: Int64

    /// Opens the file, creates it on first use, and migrates its schema.
    ///
    /// Throws if the file cannot be opened, a newer release has migrated it, its schema is not what the migrations make, it is
    /// behind what this machine knows of it, or it cannot commit durably.
    ///
    /// - Parameters:
    ///   - audit: the cryptographic functions of the audit log.
    ///   - acceptance: which stores are opened besides the one that was used here last.
    ///   - rowsPerSlice: how many rows a search reads before others get their turn.
    ///   - onWait: called if another process is opening the file. Waits at most 10 s.
    public init(
        path: String,
        audit: AuditFunctions,
        accepting acceptance: StoreAcceptance = .current,
        rowsPerSlice: Int64 = 10_000,
        onWait: (String) -> Void = { _ in }
    ) throws(StoreError) {
        try self.init(
            path: path, .signatures, audit: audit, accepting: acceptance, rowsPerSlice: rowsPerSlice, onWait: onWait)
    }

    /// - Parameters:
    ///   - functions: the cryptographic functions of the audit log; nil for a file without one.
    ///   - acceptance: which stores are opened besides the one that was used here last.
    ///   - cacheMebibytes: page cache of each connection.
    ///   - mappedMebibytes: how much of the file to map into memory. Use it only for files that seldom change: a commit makes
    ///     every reader map the file again.
    ///   - rowsPerSlice: how many rows a search reads before others get their turn.
    init(
        path: String,
        _ schema: SQLiteSchema,
        audit functions: AuditFunctions? = nil,
        accepting acceptance: StoreAcceptance,
        cacheMebibytes: Int = 16,
        mappedMebibytes: Int = 0,
        rowsPerSlice: Int64 = 10_000,
        onWait: (String) -> Void
    ) throws(StoreError) {
        do {
            try SQLiteStore.create(SQLiteStore.folder(of: path))
            let lock = try SQLiteStore.lock(path, onWait)
            defer { lock.release() }
            try SQLiteStore.makePrivate(path)
            let configuration = SQLiteStore.configuration(path, cacheMebibytes, mappedMebibytes)
            let pool = try DatabasePool(path: path, configuration: configuration)
            self.pool = pool
            isCopiedAwayAccepted = acceptance != .current
            self.rowsPerSlice = rowsPerSlice
            let isNew = try schema.migrate(pool)
            self.schema = SQLiteSchemaWatch(schema, path: path)
            try SQLiteStore.makeDurable(pool)
            (files, position) = try pool.writeWithoutTransaction { database in
                let storeID = try SQLiteStore.storeID(database)
                let position = PositionNote(path: path, storeID: storeID, isCounted: functions == nil)
                if acceptance != .earlier { try position.begin(database, isNew: isNew) }
                return (try StoreFileGuard(path: path, storeID: storeID, database), position)
            }
            checkpoints = try LogCheckpoints(pool, configuration, files)
            let lane = SQLiteStore.configuration(path, Self.laneCacheMebibytes, mappedMebibytes)
            urgentLane = ReadLane(path: path, lane, count: 1)
            scanLane = ReadLane(path: path, lane, count: Self.scanners, niceness: Self.niceness)
            if !isCopiedAwayAccepted { try pool.read(CopiedAway.requireNot) }
            audit = try functions.map { functions in try pool.write { try AuditWriter(functions, $0) } }
        } catch {
            throw StoreError(wrapping: error, doing: "open \(path)")
        }
    }

    /// Whether there is a file with anything in it, or with a log.
    public static func isThere(_ path: String) -> Bool {
        ["", "-wal"].contains { end in
            var status = stat()
            return stat(path + end, &status) == 0 && status.st_size > 0
        }
    }

    /// Copies the log into the file, and closes all connections after their work.
    ///
    /// Files that another program has changed are left as they are.
    public func close() throws(StoreError) {
        urgentLane.close()
        scanLane.close()
        pool.writeWithoutTransaction { _ = try? files.check($0) }
        guard files.failure == nil else {
            // The pool stays open until the process ends: on closing it, SQLite would copy the log with an index that is no
            // longer valid.
            _ = Unmanaged.passRetained(pool)
            return
        }
        do {
            pool.writeWithoutTransaction { try? position.update($0) }
            // GRDB closes its readers last, and readers cannot copy the log. Without these steps the file would lack what only
            // the log contains.
            try checkpoints.close()
            pool.writeWithoutTransaction { _ = try? $0.checkpoint(.truncate) }
            try pool.close()
        } catch {
            throw StoreError(wrapping: error, doing: "close the store")
        }
    }

    private static func configuration(_ path: String, _ cacheMebibytes: Int, _ mappedMebibytes: Int) -> Configuration {
        var configuration = Configuration()
        configuration.keepLog(of: path)
        configuration.recordStatements()
        configuration.label = "store"
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = readers
        configuration.prepareDatabase { database in
            // SQLite's own checkpoints are off, because `LogCheckpoints` runs them beside the writer.
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

    // The file contains customers' ids and the nonces' secret, and may come from a backup that is readable by all users. SQLite
    // gives its other files the same permissions.
    private static func makePrivate(_ path: String) throws(StoreError) {
        try StoreLog.requireFile(path)
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let isThere = file >= 0 || errno == EEXIST
        if file >= 0 { Glibc.close(file) }
        // An existing file is not opened: closing it would release this process's locks on it.
        var status = stat()
        guard isThere, access(path, R_OK | W_OK) == 0, stat(path, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreError(.unavailable, "\(path): \(reason); file and folder must belong to the user with the id \(geteuid())")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(.unavailable, "\(path): not a regular file") }
        guard status.st_mode & 0o077 != 0 else { return }
        guard chmod(path, status.st_mode & 0o700) == 0 else {
            throw StoreError(.unsuitable, "\(path): others may read it, and it belongs to another user; run: chmod 600 \(path)")
        }
        for log in ["\(path)-wal", "\(path)-shm"] { chmod(log, 0o600) }
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

    // A random number, made once and stored in the file's header as `user_version`, which SQLite leaves to applications.
    private static func storeID(_ database: Database) throws -> UInt32 {
        if let id = try Int32.fetchOne(database, sql: "PRAGMA user_version"), id != 0 { return UInt32(bitPattern: id) }
        let id = try Int32.fetchOne(database, sql: "SELECT abs(random() % 2147483647) + 1")!
        try database.execute(sql: "PRAGMA user_version = \(id)")
        _ = try? database.checkpoint(.passive)
        return UInt32(bitPattern: id)
    }

    // GRDB opens a pool with NORMAL, under which a power failure can lose a commit. With FULL, a commit is on the disk when it
    // returns.
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
