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

    /// The code of a message (32 bytes).
    public func code(for message: [UInt8]) -> [UInt8] {
        contexts.withContext { context in
            [UInt8](unsafeUninitializedCapacity: Int(OSS_DIGEST_SIZE)) { out, used in
                // An all-zero code matches nothing that we issue, so a failure refuses rather than admits.
                out.initialize(repeating: 0)
                _ = oss_hmac_code(context, message, message.count, out.baseAddress)
                used = Int(OSS_DIGEST_SIZE)
            }
        }
    }
}
