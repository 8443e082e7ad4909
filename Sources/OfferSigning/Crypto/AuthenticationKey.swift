import COpenSSLShim

/// HMAC-SHA256 under one secret, for any number of threads.
public final class AuthenticationKey: Sendable {
    private let contexts: ContextPool

    /// - Parameter slots: how many threads may compute at once without waiting.
    public init(secret: [UInt8], slots: Int) throws(SigningError) {
        guard
            let contexts = ContextPool(count: slots, make: { oss_hmac_new(secret, secret.count) }, free: oss_hmac_free)
        else { throw SigningError(.cryptoFailure, "HMAC-SHA256 could not be set up") }
        self.contexts = contexts
    }

    /// The code of a message (32 bytes); nil if OpenSSL fails.
    public func code(for message: [UInt8]) -> [UInt8]? {
        let code = contexts.withContext { context in
            [UInt8](unsafeUninitializedCapacity: Int(OSS_DIGEST_SIZE)) { out, used in
                used = oss_hmac_code(context, message, message.count, out.baseAddress) == 1 ? Int(OSS_DIGEST_SIZE) : 0
            }
        }
        return code.isEmpty ? nil : code
    }
}
