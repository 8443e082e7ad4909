import GRDB
import Glibc
public import OfferStore

/// Copies files of a store as of one instant, while services write to them.
///
/// Only the owner can access a copy. It gets its name once it is complete, checked and on the disk.
public enum StoreCopy {
    /// A file and the path of its copy.
    public struct File: Sendable {
        let source: String
        let copy: String

        /// Stores the given paths without checking them.
        public init(from source: String, to copy: String) {
            self.source = source
            self.copy = copy
        }
    }

    /// Whether there is a copy of this name. Throws if there is something that is not a file with a store in it.
    ///
    /// SQLite waits for ever for a pipe, and takes an empty file for an empty store.
    public static func isThere(_ path: String) throws(StoreError) -> Bool {
        for file in ["", "-wal", "-shm", "-journal"].map({ path + $0 }) {
            var status = stat()
            guard lstat(file, &status) == 0 else { continue }
            guard stat(file, &status) == 0 else { throw StoreError(.unavailable, "\(file): \(String(cString: strerror(errno)))") }
            guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(.unavailable, "\(file): not a regular file") }
            guard file != path || status.st_size > 0 else { throw StoreError(.damaged, "\(file) is empty") }
        }
        return access(path, F_OK) == 0
    }

    /// Number of pages copied between two reports.
    private static let pagesPerStep: CInt = 25_000

    /// Creates the copies.
    ///
    /// Throws if a copy's name is taken, a source is not an intact database, or the disk is full. Then no unfinished copy
    /// remains.
    ///
    /// - Parameters:
    ///   - asNewStore: whether the copies get a new store id, as a replacement of a store needs, and their indexes are checked.
    ///   - progress: receives the source and the copied share (0...1).
    public static func make(
        _ files: [File],
        asNewStore: Bool = false,
        progress: @escaping (_ source: String, _ share: Double) -> Void
    ) throws(StoreError) {
        var open: [DatabaseQueue] = []
        do {
            for file in files { open.append(try snapshot(of: file.source)) }
            for (file, source) in zip(files, open) { try copy(file, from: source, asNewStore, progress) }
        } catch {
            throw StoreError(wrapping: error, doing: "copy the store")
        }
    }

    /// Opens a snapshot of the file that lasts until the connection closes.
    private static func snapshot(of path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.keepLog(of: path)
        configuration.recordStatements()
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { database in
            try database.execute(sql: "BEGIN")
            guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0 > 0 else {
                throw StoreError(.damaged, "\(path) has no store in it")
            }
        }
        return queue
    }

    private static func copy(
        _ file: File,
        from source: DatabaseQueue,
        _ asNewStore: Bool,
        _ progress: @escaping (String, Double) -> Void
    ) throws {
        let unfinished = "\(file.copy).unfinished"
        unlink(unfinished)
        defer { unlink(unfinished) }
        guard access(file.copy, F_OK) != 0 else { throw StoreError(.unavailable, "\(file.copy) is there already") }
        let descriptor = open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(.unavailable, "\(file.copy): \(String(cString: strerror(errno)))") }
        defer { Glibc.close(descriptor) }
        var configuration = Configuration()
        configuration.recordStatements()
        let target = try DatabaseQueue(path: unfinished, configuration: configuration)
        try source.inDatabase { source in
            try target.inDatabase { target in
                try source.backup(to: target, pagesPerStep: pagesPerStep) { progress(file.source, $0.share) }
                if asNewStore { try target.execute(sql: "PRAGMA user_version = 0") }
                // In a copy from elsewhere an index may lack entries, and then a used nonce would not be found.
                let check = asNewStore ? "integrity_check" : "quick_check"
                let fault = try String.fetchOne(target, sql: "PRAGMA \(check)(1)")
                guard fault == "ok" else { throw StoreError(.damaged, "\(file.source): \(fault ?? "cannot be checked")") }
            }
        }
        try target.close()
        guard fsync(descriptor) == 0, rename(unfinished, file.copy) == 0 else {
            throw StoreError(.unavailable, "\(file.copy): \(String(cString: strerror(errno)))")
        }
    }
}

extension DatabaseBackupProgress {
    fileprivate var share: Double {
        totalPageCount == 0 ? 1 : Double(totalPageCount - remainingPageCount) / Double(totalPageCount)
    }
}
