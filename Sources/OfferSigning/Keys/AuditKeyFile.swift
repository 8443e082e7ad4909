/// A file with an audit key: `AuditKey_<number>.pem`. If there are several, the key with the highest number seals the audit log.
public struct AuditKeyFile: Sendable {
    private static let form = KeyFolderFile(prefix: "AuditKey_", suffix: ".pem")

    /// The path of the file.
    public let path: String

    /// Refers to the file with this number in a folder. The file need not exist yet.
    public init(folder: String, number: Int) { path = Self.form.path(folder: folder, number: number) }

    /// Returns the number in a file's name; nil if the name does not have this form.
    public static func number(inName name: String) -> Int? { form.number(inName: name) }

    /// Loads the key after checking the file's owner and permissions.
    public func load() throws(SigningError) -> Ed25519Key {
        try KeyFile(path: path).withContents { contents throws(SigningError) in
            do throws(SigningError) { return try Ed25519Key(pem: contents) } catch {
                throw SigningError(error.code, "\(path): \(error.detail)")
            }
        }
    }

    /// Writes a key to the file, which only the folder's owner can then read. Returns false if the file exists already.
    public func create(_ key: Ed25519Key) throws(SigningError) -> Bool {
        try key.withPEM { pem throws(SigningError) in try KeyFolderFile.create(path, pem) }
    }
}
