import GRDB
import Glibc
import OfferStore
import Synchronization

/// Detects changes of the store's files under a running service, before a written row would be lost.
///
/// SQLite keeps writing to a file that was deleted, overwritten or truncated, and root ignores file modes.
final class StoreFileGuard: Sendable {
    private struct State {
        /// The file when it was last intact, and the log's index from before then.
        var size: Int64
        var modified: Instant
        var index: LogIndex
        /// A failure that only a restart can repair: SQLite's view of the files is no longer valid.
        var failure: StoreError?
    }

    private struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64
    }

    private struct Instant: Equatable {
        let seconds: Int
        let nanoseconds: Int
    }

    private let path: String
    private let logPath: String
    private let indexPath: String
    private let identity: Identity?
    private let logIdentity: Identity?
    private let indexIdentity: Identity?
    /// The store's unique id, from its header.
    private let storeID: UInt32
    private let state: Mutex<State>

    /// Remembers the files of an open store.
    ///
    /// - Parameters:
    ///   - storeID: the id in the file's header, or in the log until it is copied.
    ///   - database: the writer's connection.
    init(path: String, storeID: UInt32, _ database: Database) throws(StoreError) {
        self.path = path
        logPath = path + "-wal"
        indexPath = path + "-shm"
        self.storeID = storeID
        let file = try StoreFile(database)
        guard let index = file.logIndex(), let status = StoreFileGuard.status(of: path) else {
            throw StoreError(.unavailable, "\(path): SQLite shares no index of its log")
        }
        identity = StoreFileGuard.identity(status)
        logIdentity = StoreFileGuard.status(of: logPath).map(StoreFileGuard.identity)
        indexIdentity = StoreFileGuard.status(of: indexPath).map(StoreFileGuard.identity)
        state = Mutex(State(size: Int64(status.st_size), modified: StoreFileGuard.modified(status), index: index))
    }

    /// The failure that only a restart can repair; nil for none, or for a failure that can pass.
    var failure: StoreError? { state.withLock { $0.failure } }

    /// Makes every later use fail until a restart, because the store was given up.
    func fail(_ failure: StoreError) { state.withLock { $0.failure = $0.failure ?? failure } }

    /// Throws if a row written now could be lost. Called on the writer, outside a transaction.
    ///
    /// Returns the number of pages in the log.
    func check(_ database: Database) throws(StoreError) -> Int {
        if let failure { throw failure }
        let file = try StoreFile(database)
        // Read before the files: later writes to them show in a later index.
        let index = file.logIndex()
        guard let status = StoreFileGuard.status(of: path) else {
            throw StoreError(.unavailable, "the store file is gone; put \(name) back")
        }
        guard StoreFileGuard.identity(status) == identity else {
            throw StoreError(.unavailable, "the store file was replaced under the running service; check \(name) and restart")
        }
        guard status.st_mode & 0o222 != 0 else {
            throw StoreError(.unavailable, "the store file is read-only; make \(name) writable again")
        }
        // If the file is empty, another program that reads it removes its log, as SQLite does. The error is about the file, which
        // is the cause.
        guard status.st_size > 0 || state.withLock({ $0.size == 0 }) else { throw cutShort() }
        try checkLog(index, file)
        let isUnchanged = state.withLock { state in
            guard state.size == Int64(status.st_size), state.modified == StoreFileGuard.modified(status) else { return false }
            if let index { state.index = index }
            return true
        }
        if !isUnchanged { try examine(status, index, file) }
        return Int(index?.frames ?? 0)
    }

    private func checkLog(_ index: LogIndex?, _ file: StoreFile) throws(StoreError) {
        let isShared = StoreFileGuard.status(of: indexPath).map(StoreFileGuard.identity) == indexIdentity
        let log = StoreFileGuard.status(of: logPath)
        guard log.map(StoreFileGuard.identity) == logIdentity else {
            // The contents of the removed log can be saved, unless other processes have continued with another index.
            guard isShared || log == nil else {
                throw broken("the store's log and its index were replaced; put \(name) and its -wal aside, restore a backup")
            }
            throw StoreError(
                .logRemoved, "the store's log was removed; what \(name)-wal held has been saved, restart the service")
        }
        guard isShared, index != nil else {
            // Other processes now lock another file. They may restart the log while this process appends to it.
            throw broken("the index of the store's log, \(name)-shm, was removed; nothing is lost, restart the service")
        }
        if let log, let index, Int64(log.st_size) < index.minLogSize {
            // Another process may have copied the whole log into the store meanwhile.
            let (again, size) = (file.logIndex(), StoreFileGuard.status(of: logPath)?.st_size ?? 0)
            guard Int64(size) >= again?.minLogSize ?? .max else {
                throw broken(
                    "the store's log, \(name)-wal, was cut short, and the latest rows may be lost; "
                        + "wait two nonce periods, restart")
            }
        }
    }

    // Only checkpoints may write to the file, those of this process and of others. They announce it in the index.
    private func examine(_ status: stat, _ index: LogIndex?, _ file: StoreFile) throws(StoreError) {
        let size = Int64(status.st_size)
        let (wasWritten, isShorter) = state.withLock { state in
            (file.logIndex()?.allowsWrites(since: state.index) ?? false, size < state.size)
        }
        let header = size >= StoreFile.headerSize ? file.header() : nil
        guard let header, !isShorter || (wasWritten && header.size <= size) else {
            throw cutShort()
        }
        guard wasWritten, header.storeID == storeID || header.storeID == 0 else {
            throw broken(
                "another file was copied over the store file, or another program wrote into it; "
                    + "stop the service and restore \(name) from a backup")
        }
        state.withLock { state in
            state.size = size
            state.modified = StoreFileGuard.modified(status)
            if let index { state.index = index }
        }
    }

    private func cutShort() -> StoreError {
        broken("the store file was cut short; stop the service and restore \(name) from a backup")
    }

    private func broken(_ detail: String) -> StoreError {
        let failure = StoreError(.filesChanged, detail)
        state.withLock { $0.failure = failure }
        return failure
    }

    private var name: Substring { path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...] }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func identity(_ status: stat) -> Identity {
        Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    private static func modified(_ status: stat) -> Instant {
        Instant(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }
}
