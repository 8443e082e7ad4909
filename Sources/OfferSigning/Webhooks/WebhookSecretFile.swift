import COpenSSLShim
import WireText

/// A file with the secrets of an event endpoint, one secret on each line.
///
/// If there are several secrets, every event is signed with each of them, so that the receiver can change from one secret to the
/// next.
public struct WebhookSecretFile: Sendable {
    private let path: String

    /// Refers to the file at a path, without reading it.
    public init(path: String) { self.path = path }

    /// Loads the secrets after checking the file's owner and permissions. Errors contain nothing of the file.
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

/// A secret that signs events. Its text has the form of Standard Webhooks 1.0.0.
public enum WebhookSecret: Sendable {
    /// A text such as `whsec_…`, for HMAC-SHA256. The receiver verifies with the same secret.
    case shared(AuthenticationKey)
    /// A text such as `whsk_…`, for Ed25519. The receiver verifies with the public half.
    case ownKey(Ed25519Key)

    private static let sharedPrefix = "whsec_"
    private static let ownKeyPrefix = "whsk_"
    private static let sharedLengths = 24...64

    /// Reads one line of a file. An error does not contain the line.
    init(_ line: UnsafeRawBufferPointer) throws(SigningError) {
        let isShared = line.starts(with: Self.sharedPrefix.utf8)
        guard isShared || line.starts(with: Self.ownKeyPrefix.utf8) else {
            throw SigningError(.damaged, "a line begins with neither whsec_ nor whsk_")
        }
        let text = line.dropFirst((isShared ? Self.sharedPrefix : Self.ownKeyPrefix).utf8.count)
        guard var bytes = Base64.decode(text) else { throw SigningError(.damaged, "the rest of a line is not Base64") }
        defer { bytes.withUnsafeMutableBytes { Crypto.wipe($0) } }
        if isShared {
            guard Self.sharedLengths.contains(bytes.count) else {
                throw SigningError(.damaged, "a whsec_ secret has \(bytes.count) bytes; it must have 24 to 64")
            }
            self = .shared(try AuthenticationKey(secret: bytes))
        } else {
            let key = try Ed25519Key(seed: bytes)
            // Some programs write the public half after the seed. That is accepted if it is the right one.
            guard bytes.count == Ed25519Key.publicLength || Array(bytes.dropFirst(Ed25519Key.publicLength)) == key.publicKey
            else { throw SigningError(.damaged, "a whsk_ key is neither a seed of 32 bytes, nor one with its public half") }
            self = .ownKey(key)
        }
    }

    /// Signs a message. Returns `v1,` for HMAC or `v1a,` for Ed25519, followed by the signature in Base64.
    public func sign(_ message: [UInt8]) throws(SigningError) -> String {
        switch self {
        case .shared(let key):
            guard let code = key.withCode(for: message, { Base64.encode(Array($0)) }) else {
                throw SigningError(.cryptoFailure, "OpenSSL could not make an HMAC")
            }
            return "v1," + code
        case .ownKey(let key): return "v1a," + Base64.encode(try key.sign(message))
        }
    }

    /// The public half for the receiver, in the form `whpk_…`; nil for a shared secret.
    public var publicKey: String? {
        guard case .ownKey(let key) = self else { return nil }
        return "whpk_" + Base64.encode(key.publicKey)
    }
}
