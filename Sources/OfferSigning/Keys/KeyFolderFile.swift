import Glibc

/// The form of the names of files that the service creates in the key folder: a prefix, a number of at least four digits, and a
/// suffix.
package struct KeyFolderFile {
    let prefix: String
    let suffix: String

    /// Returns the path of the file with a number in a folder.
    func path(folder: String, number: Int) -> String {
        let digits = String(number)
        return "\(folder)/\(prefix)\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)\(suffix)"
    }

    /// Returns the number in a file's name; nil if the name does not have this form.
    func number(inName name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
        return digits.allSatisfy { ("0"..."9").contains($0) } ? Int(digits) : nil
    }

    /// Writes a new file. Returns false if the file exists already.
    ///
    /// - Parameter mode: the permissions of the file, on which the process's umask has no effect. By default only the owner has
    ///   access.
    package static func create(
        _ path: String,
        _ contents: UnsafeRawBufferPointer,
        mode: UInt32 = 0o600
    ) throws(SigningError) -> Bool {
        // The text is written to a draft, which gets its final name when it is complete. Other processes may be reading the
        // folder, and must never see half of the file.
        let draft = "\(path).\(getpid()).new"
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure(draft) }
        defer { unlink(draft) }
        let written = !contents.isEmpty && write(file, contents.baseAddress, contents.count) == contents.count
        // If root runs this, the file is given to the owner of the folder, because the service may run as that user.
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
