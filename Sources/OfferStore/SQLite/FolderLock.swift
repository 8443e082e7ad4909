import Glibc

/// Lets one process at a time open the stores of a folder: neither SQLite's change to WAL nor GRDB's migrations wait for another's.
///
/// The folder is locked, not the store: closing a file of SQLite's would end the locks that this process has on it.
struct FolderLock {
    private let descriptor: Int32

    /// Waits for its turn. Where the system cannot lock, nobody waits.
    init(_ path: String) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    /// Lets the next one in.
    func release() {
        if descriptor >= 0 { close(descriptor) }
    }
}
