import Glibc

/// Identifies a version of a file, so that a change of its content, owner or mode is noticed without reading it. Links are
/// followed.
package struct FileVersion: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    /// When the content, the owner or the mode last changed.
    private let changed: [Int64]

    /// Returns nil if the file does not exist.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        changed = [Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec)]
    }
}

/// The size and age of a file, and whether it is a folder.
package struct FileStatus {
    /// The size in bytes.
    package let size: Int64
    /// When the content last changed, in seconds since 1970.
    package let modifiedAt: Int64
    /// Whether the file is a folder.
    package let isFolder: Bool

    /// Returns nil if the status cannot be read, with the reason in `errno`.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        size = Int64(status.st_size)
        modifiedAt = Int64(status.st_mtim.tv_sec)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
    }
}
