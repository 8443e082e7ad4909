import Glibc

/// Notices that the store's files were removed, replaced or made read-only under a running service.
///
/// SQLite goes on writing into a file that was deleted, and root ignores file modes: either would lose rows that were promised.
struct StoreFileGuard: Sendable {
    private struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64
    }

    private let path: String
    private let identity: Identity?
    private let logIdentity: Identity?

    /// Remembers the files that an open store works on.
    init(path: String) {
        self.path = path
        identity = StoreFileGuard.status(of: path).map(StoreFileGuard.identity)
        logIdentity = StoreFileGuard.status(of: path + "-wal").map(StoreFileGuard.identity)
    }

    /// Throws when a row written now would not be where it is looked for later.
    func check() throws(StoreError) {
        guard let status = StoreFileGuard.status(of: path) else {
            throw StoreError(.unavailable, "the store file is gone; put \(name) back")
        }
        guard StoreFileGuard.identity(status) == identity else {
            throw StoreError(.unavailable, "the store file was replaced under the running service; look at \(name) and restart")
        }
        guard status.st_mode & 0o222 != 0 else {
            throw StoreError(.unavailable, "the store file is read-only; make \(name) writable again")
        }
        // Another process may have made a new one in its place.
        guard StoreFileGuard.status(of: path + "-wal").map(StoreFileGuard.identity) == logIdentity else {
            throw StoreError(
                .logRemoved, "the store's log was removed; what \(name)-wal held has been saved, restart the service")
        }
    }

    private var name: Substring { path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...] }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func identity(_ status: stat) -> Identity {
        Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
