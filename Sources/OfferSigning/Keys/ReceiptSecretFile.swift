import COpenSSLShim

/// A secret on disk that encrypts receipts: `ReceiptSecret_<number>.key`, 32 bytes.
///
/// If there are several, the secret with the highest number encrypts; the others only decrypt.
public struct ReceiptSecretFile: Sendable {
    private static let form = KeyFolderFile(prefix: "ReceiptSecret_", suffix: ".key")

    /// The path of the file.
    public let path: String

    /// Names the file in a folder by its number.
    public init(folder: String, number: Int) { path = Self.form.path(folder: folder, number: number) }

    /// The number in a file's name; nil for a name of another form.
    public static func number(inName name: String) -> Int? { form.number(inName: name) }

    /// Loads the secret after checking the file's owner and permissions.
    public func load() throws(SigningError) -> SealingKey {
        try KeyFile(path: path).withContents { contents throws(SigningError) in
            guard contents.count == SealingKey.secretLength else {
                throw SigningError(
                    .fileUnreadable,
                    "\(path): \(contents.count) bytes, not \(SealingKey.secretLength); restore the file from a copy, or remove it"
                )
            }
            return try SealingKey(secret: contents)
        }
    }

    /// Writes a new secret with access for the folder's owner only. Returns false if the file exists.
    public func create() throws(SigningError) -> Bool {
        let secret = UnsafeMutableRawBufferPointer.allocate(byteCount: SealingKey.secretLength, alignment: 1)
        defer {
            oss_cleanse(secret.baseAddress, secret.count)
            secret.deallocate()
        }
        guard oss_random(secret.bindMemory(to: UInt8.self).baseAddress!, secret.count) == 1 else {
            throw SigningError(.cryptoFailure, "the random generator gave nothing")
        }
        return try KeyFolderFile.create(path, UnsafeRawBufferPointer(secret))
    }
}
