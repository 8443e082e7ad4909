import Glibc

/// Identifies a version of a file's content, owner and mode without reading the file. Follows links.
package struct FileVersion: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    /// When content, owner or mode last changed.
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
