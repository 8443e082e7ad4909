/// The secrets of an endpoint on disk, one a line. With several, each signs, so that a receiver can change from one to the next.
public struct WebhookSecretFile: Sendable {
    private let path: String

    /// Names the file without reading it.
    public init(path: String) { self.path = path }

    /// Loads the secrets after checking the file's owner and permissions. Errors repeat nothing of the content.
    public func load() throws(SigningError) -> [WebhookSecret] {
        try KeyFile(path: path).withContents { contents throws(SigningError) in
            var secrets: [WebhookSecret] = []
            for line in contents.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D || $0 == 0x20 }) {
                do throws(SigningError) { secrets.append(try WebhookSecret(UnsafeRawBufferPointer(rebasing: line))) } catch {
                    throw SigningError(error.code, "\(path): \(error.detail)")
                }
            }
            guard !secrets.isEmpty else { throw SigningError(.damaged, "\(path): there is no secret in it") }
            return secrets
        }
    }
}
