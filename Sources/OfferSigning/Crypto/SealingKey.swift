import COpenSSLShim

/// Seals what is kept at rest (AES-256-GCM), and opens it; for any number of threads.
public final class SealingKey: Sendable {
    /// Bytes of a secret.
    public static let secretLength = Int(OSS_AEAD_KEY_SIZE)
    /// By so many bytes what is sealed is longer.
    static let overhead = headerLength + Int(OSS_AEAD_OVERHEAD)
    private static let version: UInt8 = 1
    private static let idLength = 4
    /// Bytes in front of what is sealed, the same for all that one key seals.
    public static let headerLength = 1 + idLength

    /// Tells it from other keys: four bytes of a digest, which tell nothing of the secret.
    public let id: [UInt8]
    /// The bytes in front of what it seals.
    public var header: [UInt8] { [Self.version] + id }
    // Unsafe: what the pointer leads to is never changed.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// Of 32 secret bytes, which the caller wipes.
    public init(secret: UnsafeRawBufferPointer) throws(SigningError) {
        guard secret.count == Self.secretLength,
            let pointer = oss_aead_new(secret.bindMemory(to: UInt8.self).baseAddress)
        else { throw SigningError(.cryptoFailure, "a key that seals is made of \(Self.secretLength) bytes") }
        self.pointer = pointer
        let key = try AuthenticationKey(secret: secret)
        let code = key.withCode(for: Array("sealing key id".utf8)) { Array($0.prefix(Self.idLength)) }
        guard let code else { throw SigningError(.cryptoFailure, "HMAC-SHA256 failed") }
        id = code
    }

    deinit { oss_aead_free(pointer) }

    /// The id of the key that sealed something; nil if nothing was sealed in this form.
    public static func keyID(of sealed: [UInt8]) -> [UInt8]? {
        sealed.count >= overhead && sealed[0] == version ? Array(sealed[1..<headerLength]) : nil
    }

    /// Seals a message.
    ///
    /// - Parameter context: what it belongs to; has to be given again to open it.
    public func seal(_ message: [UInt8], for context: [UInt8]) throws(SigningError) -> [UInt8] {
        let head = header
        let bound = head + context
        var isSealed = false
        let sealed = [UInt8](unsafeUninitializedCapacity: message.count + Self.overhead) { out, used in
            for (index, byte) in head.enumerated() { out[index] = byte }
            isSealed =
                oss_aead_seal(pointer, bound, bound.count, message, message.count, out.baseAddress! + Self.headerLength) == 1
            used = isSealed ? message.count + Self.overhead : 0
        }
        guard isSealed else { throw SigningError(.cryptoFailure, "AES-256-GCM could not seal \(message.count) bytes") }
        return sealed
    }

    /// Opens what this key sealed for the same context; nil if it was changed, or sealed for another or by another.
    public func open(_ sealed: [UInt8], for context: [UInt8]) -> [UInt8]? {
        guard Self.keyID(of: sealed) == id else { return nil }
        let bound = Array(sealed[..<Self.headerLength]) + context
        var isOpen = false
        let message = [UInt8](unsafeUninitializedCapacity: max(1, sealed.count - Self.overhead)) { out, used in
            isOpen =
                sealed.withUnsafeBufferPointer { bytes in
                    oss_aead_open(
                        pointer, bound, bound.count, bytes.baseAddress! + Self.headerLength, bytes.count - Self.headerLength,
                        out.baseAddress)
                } == 1
            used = isOpen ? sealed.count - Self.overhead : 0
        }
        return isOpen ? message : nil
    }
}
