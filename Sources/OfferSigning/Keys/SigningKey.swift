import COpenSSLShim
import WireText

/// An In-App Purchase key, tested and ready to sign. Thread-safe.
public final class SigningKey: Sendable {
    /// Apple's key id, which usually has ten upper-case letters and digits.
    public let id: String
    /// The SHA-256 of the public key's SubjectPublicKeyInfo, in lower-case hexadecimal digits.
    public let fingerprint: String
    /// The JWS header with this key's id, in base64url.
    let encodedHeader: [UInt8]
    let handle: KeyHandle
    // The contexts that sign with a key in memory; nil for a key in a hardware module.
    private let signers: ContextPool?
    /// Signs for a key in a hardware module; nil for a key in memory.
    let remote: (any RemoteSigner)?

    /// Reads a key from a PKCS#8 PEM, and tests it with one signature.
    ///
    /// - Parameters:
    ///   - pem: the text of the PEM, which the caller wipes afterwards. No copy of it remains outside OpenSSL.
    ///   - slots: the number of threads that can sign at the same time without waiting. It should be the number of processor
    ///     cores.
    public init(id: String, pem: UnsafeRawBufferPointer, passphrase: String?, slots: Int) throws(SigningError) {
        self.id = id
        handle = try SigningKey.read(pem, passphrase: passphrase)
        fingerprint = Crypto.hexadecimal(Crypto.sha256(handle.publicDER))
        encodedHeader = JWSHeader.encoded(keyID: id)
        let key = handle.pointer
        guard let signers = ContextPool(count: slots, make: { oss_signer_new(key) }, free: oss_signer_free) else {
            throw SigningError(.cryptoFailure, "OpenSSL could not set up a signer for key \(id)")
        }
        self.signers = signers
        remote = nil
        try selfTest()
    }

    /// Creates a key whose private half is in a hardware module. The caller has tested it there.
    init(id: String, publicKey: KeyHandle, signer: any RemoteSigner) {
        self.id = id
        handle = publicKey
        fingerprint = Crypto.hexadecimal(Crypto.sha256(publicKey.publicDER))
        encodedHeader = JWSHeader.encoded(keyID: id)
        signers = nil
        remote = signer
    }

    /// Signs SHA-256 of a message at once. Throws for a key in a hardware module, which cannot do that.
    public func sign(_ message: [UInt8]) throws(SigningError) -> Signature {
        try checked(message.withUnsafeBytes(signature))
    }

    /// Signs SHA-256 of a payload at once. Throws for a key in a hardware module, which cannot do that.
    public func sign(_ payload: OfferPayload) throws(SigningError) -> Signature {
        try checked(payload.withBytes(signature))
    }

    private func checked(_ signature: Signature?) throws(SigningError) -> Signature {
        if signsLater { throw SigningError(.signsLater, "key \(id) is in a hardware module, which signs later") }
        guard let signature else { throw SigningError(.cryptoFailure, "OpenSSL could not sign with key \(id)") }
        return signature
    }

    private func signature(of message: UnsafeRawBufferPointer) -> Signature? {
        guard let signers else { return nil }
        let digestLength = Int(OSS_DIGEST_SIZE)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digestLength + Int(OSS_DER_SIGNATURE_CAPACITY)) { bytes in
            let (digest, der) = (bytes.baseAddress!, bytes.baseAddress! + digestLength)
            let message = message.bindMemory(to: UInt8.self)
            let length = signers.withContext { oss_signer_sign($0, message.baseAddress, message.count, digest, der) }
            guard length > 0 else { return nil }
            return Signature(
                der: Array(UnsafeBufferPointer(start: der, count: length)),
                digest: Array(UnsafeBufferPointer(start: digest, count: digestLength)))
        }
    }

    /// Whether a DER signature of a message was made with this key.
    public func isValid(signature: [UInt8], of message: [UInt8]) -> Bool {
        handle.isValid(signature: signature, of: message)
    }

    /// The public half as a PEM, with which other programs can verify signatures.
    public var publicPEM: String {
        let text = Array(Base64.encode(handle.publicDER))
        let lines = stride(from: 0, to: text.count, by: 64).map { String(text[$0..<min($0 + 64, text.count)]) }
        return (["-----BEGIN PUBLIC KEY-----"] + lines + ["-----END PUBLIC KEY-----", ""]).joined(separator: "\n")
    }

    /// Tests the key with one signature. Throws if the key does not sign, if the signature does not verify, or if it still
    /// verifies after it was altered.
    ///
    /// For a key in a hardware module, it only checks that the module is available.
    public func selfTest() throws(SigningError) {
        if signsLater {
            if let outage { throw outage }
            return
        }
        let message = Array("OfferSigner self-test of key \(id)".utf8)
        var signature = try sign(message).der
        let valid = isValid(signature: signature, of: message)
        signature[signature.count - 1] ^= 1
        guard valid, !isValid(signature: signature, of: message) else {
            throw SigningError(.selfTestFailed, "key \(id) signs, but its signatures do not verify")
        }
    }

    private static func read(
        _ pem: UnsafeRawBufferPointer,
        passphrase: String?
    ) throws(SigningError) -> KeyHandle {
        var status = OSS_KEY_OK
        let bytes = pem.bindMemory(to: UInt8.self)
        let secret = passphrase.map { Array($0.utf8) }
        let pointer = oss_key_read_private(bytes.baseAddress, bytes.count, secret, secret?.count ?? 0, &status)
        guard let pointer else { throw SigningError(status, of: pem) }
        return KeyHandle(pointer)
    }
}

/// Makes signatures asynchronously, with a key that is not in this process's memory.
protocol RemoteSigner: Sendable {
    typealias Completion = @Sendable (Result<[Signature], SigningError>) -> Void

    /// Why a signature would fail now; nil if the signer is available.
    var outage: SigningError? { get }

    /// Signs SHA-256 of each message, in order, and calls `completion` once, on another thread. Throws at once during an outage.
    func sign(_ messages: [[UInt8]], completion: @escaping Completion) throws(SigningError)
}

extension SigningKey {
    /// Returns a compact JWS (ES256) with these claims, and the SHA-256 of its signing input.
    public func sign(_ claims: JWSClaims) throws(SigningError) -> (compactJWS: String, digest: [UInt8]) {
        try signCompact(json: claims.json)
    }

    /// Returns the token as a compact JWS (ES256) for the `Authorization: Bearer` header.
    public func sign(_ token: ServerAPIToken) throws(SigningError) -> String {
        try signCompact(json: token.json).compactJWS
    }

    /// Returns the token as a compact JWS (ES256) for the `Authorization: Bearer` header.
    public func sign(_ token: AppStoreConnectToken) throws(SigningError) -> String {
        try signCompact(json: token.json).compactJWS
    }

    private func signCompact(json: [UInt8]) throws(SigningError) -> (compactJWS: String, digest: [UInt8]) {
        let text = signingInput(of: json)
        let signature = try sign(text)
        return (try SigningKey.compactJWS(text, signature), signature.digest)
    }
}
