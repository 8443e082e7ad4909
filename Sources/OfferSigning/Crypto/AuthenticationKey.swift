import COpenSSLShim

/// Computes HMAC-SHA256 with one secret. Thread-safe.
public final class AuthenticationKey: Sendable {
    // This is safe, because the object behind the pointer never changes.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// Creates a key from a secret of any length. Throws if OpenSSL fails.
    public convenience init(secret: [UInt8]) throws(SigningError) {
        try self.init(oss_hmac_new(secret, secret.count))
    }

    /// Creates a key from a secret that is not in an array. The secret is not copied on the way.
    convenience init(secret: UnsafeRawBufferPointer) throws(SigningError) {
        try self.init(oss_hmac_new(secret.bindMemory(to: UInt8.self).baseAddress, secret.count))
    }

    private init(_ pointer: OpaquePointer?) throws(SigningError) {
        guard let pointer else { throw SigningError(.cryptoFailure, "HMAC-SHA256 could not be set up") }
        self.pointer = pointer
    }

    deinit { oss_hmac_free(pointer) }

    /// Calls `body` with the HMAC of a message (32 bytes). Returns nil if OpenSSL fails.
    public func withCode<Result>(for message: [UInt8], _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        message.withUnsafeBytes { withCode(for: $0, body) }
    }

    /// Calls `body` with the HMAC of a message that is not in an array. The message may be a secret, so it is not copied.
    func withCode<Result>(for message: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        let message = message.bindMemory(to: UInt8.self)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(OSS_DIGEST_SIZE)) { code in
            guard oss_hmac_code(pointer, message.baseAddress, message.count, code.baseAddress) == 1 else { return nil }
            return body(UnsafeRawBufferPointer(code))
        }
    }

    /// Writes the HMAC of a message (32 bytes).
    public func writeCode(of message: UnsafeRawBufferPointer, to code: UnsafeMutableRawPointer) {
        let bytes = message.bindMemory(to: UInt8.self)
        let made = oss_hmac_code(pointer, bytes.baseAddress, bytes.count, code.assumingMemoryBound(to: UInt8.self))
        precondition(made == 1, "HMAC-SHA256 over memory does not fail")
    }
}
