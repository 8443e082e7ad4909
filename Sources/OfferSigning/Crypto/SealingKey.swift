import COpenSSLShim

/// Encrypts and decrypts data at rest (AES-256-GCM). Thread-safe.
public final class SealingKey: Sendable {
    /// Length of a secret in bytes.
    public static let secretLength = Int(OSS_AEAD_KEY_SIZE)
    /// The number of bytes by which sealed data is longer than its message.
    static let overhead = headerLength + Int(OSS_AEAD_OVERHEAD)
    private static let version: UInt8 = 1
    private static let idLength = 4
    /// Length of the header of sealed data, in bytes. All data sealed with one key has the same header.
    public static let headerLength = 1 + idLength

    /// The key's id. It consists of four bytes of an HMAC with the secret, so it reveals nothing about the secret.
    public let id: [UInt8]
    /// The header of data sealed with this key: the format's version and the key's id.
    public var header: [UInt8] { [Self.version] + id }
    // This is safe, because the object behind the pointer never changes.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// Creates a key from a secret of 32 bytes. The caller wipes the secret afterwards.
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

    /// The id of the key that sealed the data; nil if the data is too short or of another version.
    public static func keyID(of sealed: [UInt8]) -> [UInt8]? {
        sealed.count >= overhead && sealed[0] == version ? Array(sealed[1..<headerLength]) : nil
    }

    /// Seals a message.
    ///
    /// - Parameter context: bytes that say what the message belongs to. `open` needs the same context, so sealed data that was
    ///   moved to another place cannot be opened there.
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

    /// Opens data that this key has sealed for the same context. Returns nil if the data was changed, or if the context or the
    /// key is another one.
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
