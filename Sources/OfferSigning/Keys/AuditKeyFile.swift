/// An audit key on disk: `AuditKey_<number>.pem`. Of several the one with the highest number seals.
public struct AuditKeyFile: Sendable {
    private static let form = KeyFolderFile(prefix: "AuditKey_", suffix: ".pem")

    /// Where the file is.
    public let path: String

    /// Of a folder, by number.
    public init(folder: String, number: Int) { path = Self.form.path(folder: folder, number: number) }

    /// The number in a file's name; nil for a name of another form.
    public static func number(inName name: String) -> Int? { form.number(inName: name) }

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
        try key.withPEM { pem throws(SigningError) in try KeyFolderFile.create(path, pem) }
    }
}
