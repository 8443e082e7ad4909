import Glibc

/// What the system says of a file.
package struct FileStatus {
    /// In bytes.
    package let size: Int64
    /// When its content was last changed; seconds since 1970.
    package let modifiedAt: Int64
    /// Whether it is a folder.
    package let isFolder: Bool

    /// Nil, with the reason in `errno`, where it cannot be told.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        size = Int64(status.st_size)
        modifiedAt = Int64(status.st_mtim.tv_sec)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
    }
}
