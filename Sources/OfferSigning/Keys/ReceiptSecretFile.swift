import COpenSSLShim

/// A file with a secret of 32 bytes that encrypts receipts in the store: `ReceiptSecret_<number>.key`.
///
/// If there are several files, the secret with the highest number encrypts. The others are only used to decrypt.
public struct ReceiptSecretFile: Sendable {
    private static let form = KeyFolderFile(prefix: "ReceiptSecret_", suffix: ".key")

    /// The path of the file.
    public let path: String

    /// Refers to the file with this number in a folder. The file need not exist yet.
    public init(folder: String, number: Int) { path = Self.form.path(folder: folder, number: number) }

    /// Returns the number in a file's name; nil if the name does not have this form.
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

    /// Writes a new secret to the file, which only the folder's owner can then read. Returns false if the file exists already.
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
