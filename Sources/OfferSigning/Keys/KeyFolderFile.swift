import Glibc

/// The name of a file that the service creates in the key folder: a prefix, a number of at least four digits, a suffix.
package struct KeyFolderFile {
    let prefix: String
    let suffix: String

    /// The path of the file with a number in a folder.
    func path(folder: String, number: Int) -> String {
        let digits = String(number)
        return "\(folder)/\(prefix)\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)\(suffix)"
    }

    /// The number in a file's name; nil for a name of another form.
    func number(inName name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
        return digits.allSatisfy { ("0"..."9").contains($0) } ? Int(digits) : nil
    }

    /// Writes a file. Returns false if it exists.
    ///
    /// - Parameter mode: the permissions, whatever the process's umask; by default access for the folder's owner only.
    package static func create(
        _ path: String,
        _ contents: UnsafeRawBufferPointer,
        mode: UInt32 = 0o600
    ) throws(SigningError) -> Bool {
        // The file appears completely or not at all, because other processes may be reading the folder.
        let draft = "\(path).\(getpid()).new"
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure(draft) }
        defer { unlink(draft) }
        let written = !contents.isEmpty && write(file, contents.baseAddress, contents.count) == contents.count
        // Root may have created the folder for a service that runs as another user.
        var folder = stat()
        let isOwned =
            geteuid() != 0 || (stat(self.folder(of: path), &folder) == 0 && fchown(file, folder.st_uid, folder.st_gid) == 0)
        let isDurable = written && isOwned && fchmod(file, mode) == 0 && fsync(file) == 0
        close(file)
        guard isDurable else { throw failure(draft) }
        if link(draft, path) == 0 { return true }
        guard errno == EEXIST else { throw failure(path) }
        return false
    }

    private static func folder(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    private static func failure(_ path: String) -> SigningError {
        SigningError(.fileUnreadable, "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
