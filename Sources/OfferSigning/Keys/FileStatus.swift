import Glibc

/// The status of a file.
package struct FileStatus {
    /// The size in bytes.
    package let size: Int64
    /// When the content last changed, seconds since 1970.
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
