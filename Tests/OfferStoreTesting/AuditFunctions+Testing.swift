package import OfferStore

extension AuditFunctions {
    /// SHA-256 and HMAC written out here, to be compared with OpenSSL's: slow, and nowhere but in tests.
    package static let testing = AuditFunctions(
        sha256: { message, digest in digest.copyMemory(from: PlainSHA256.digest(Array(message)), byteCount: 32) },
        hmac: { secret in
            let key = (secret.count > 64 ? PlainSHA256.digest(secret) : secret)
            let block = key + [UInt8](repeating: 0, count: 64 - key.count)
            return { message, code in
                let inner = PlainSHA256.digest(block.map { $0 ^ 0x36 } + Array(message))
                code.copyMemory(from: PlainSHA256.digest(block.map { $0 ^ 0x5c } + inner), byteCount: 32)
            }
        },
        randomBytes: { count in (0..<count).map { _ in .random(in: 0...255) } })
}
