import Glibc

/// An audit key on disk: `AuditKey_<number>.pem`. Of several the one with the highest number seals.
public struct AuditKeyFile: Sendable {
    private static let (prefix, suffix) = ("AuditKey_", ".pem")

    /// Where the file is.
    public let path: String

    /// Of a folder, by number.
    public init(folder: String, number: Int) {
        let digits = String(number)
        path = "\(folder)/\(Self.prefix)\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)\(Self.suffix)"
    }

    /// The number in a file's name; nil for a name of another form.
    public static func number(inName name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
        return digits.allSatisfy { ("0"..."9").contains($0) } ? Int(digits) : nil
    }

    /// Loads the key after checking who may read it.
    public func load() throws(SigningError) -> AuditKey {
        try KeyFile(path: path).withContents { contents throws(SigningError) in
            do throws(SigningError) { return try AuditKey(pem: contents) } catch {
                throw SigningError(error.code, "\(path): \(error.detail)")
            }
        }
    }

    /// Writes a key, for the folder's owner only; false if there is a file already.
    public func create(_ key: AuditKey) throws(SigningError) -> Bool {
        // Whole or not at all: others may be looking.
        let draft = "\(path).\(getpid()).new"
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Self.failure(draft) }
        defer { unlink(draft) }
        let written = key.withPEM { pem in !pem.isEmpty && write(file, pem.baseAddress, pem.count) == pem.count }
        // Root may have made it for a service that runs as somebody else.
        var folder = stat()
        let isOwned =
            geteuid() != 0 || (stat(Self.folder(of: path), &folder) == 0 && fchown(file, folder.st_uid, folder.st_gid) == 0)
        let isDurable = written && isOwned && fsync(file) == 0
        close(file)
        guard isDurable else { throw Self.failure(draft) }
        if link(draft, path) == 0 { return true }
        guard errno == EEXIST else { throw Self.failure(path) }
        return false
    }

    private static func folder(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    private static func failure(_ path: String) -> SigningError {
        SigningError(.fileUnreadable, "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
