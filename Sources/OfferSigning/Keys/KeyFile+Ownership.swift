import Glibc

extension KeyFile {
    /// Throws unless the file's folder belongs to this process's user or root, and other users cannot add files to it.
    public static func checkFolder(of path: String) throws(SigningError) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard stat(folder, &status) == 0 else {
            throw SigningError(.fileUnreadable, "\(folder): \(String(cString: strerror(errno)))")
        }
        guard isTrusted(status.st_uid) else {
            throw SigningError(.fileOwnedByAnother, remedy(for: folder, status))
        }
        // In a folder with the sticky bit, like /tmp, no user can remove or rename another user's files.
        guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
            throw SigningError(
                .folderWritableByOthers,
                "\(folder): others may put files into it (mode \(String(status.st_mode & 0o777, radix: 8))); run: chmod go-w \(folder)"
            )
        }
    }

    /// Throws if a file exists and belongs to neither this process's user nor root.
    public static func checkOwner(of path: String) throws(SigningError) {
        var status = stat()
        guard stat(path, &status) == 0, !isTrusted(status.st_uid) else { return }
        throw SigningError(.fileOwnedByAnother, remedy(for: path, status))
    }

    /// Throws if a file exists and its mode lets other users change it.
    package static func checkOnlyOwnerWrites(_ path: String) throws(SigningError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o022 != 0 else { return }
        throw SigningError(
            .fileWritableByOthers,
            "\(path): others may change it (mode \(String(status.st_mode & 0o777, radix: 8))); run: chmod go-w \(path)")
    }

    static func isTrusted(_ owner: uid_t) -> Bool { owner == geteuid() || owner == 0 }

    static func remedy(for path: String, _ status: stat) -> String {
        "\(path): belongs to the user with the id \(status.st_uid), who could change it; "
            + "run: chown \(geteuid()) \(path) (or root)"
    }
}
