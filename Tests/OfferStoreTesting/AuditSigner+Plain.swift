package import OfferStore

// Keyed SHA-256 in place of Ed25519: what a store does with signatures is the same.
extension AuditSigner {
    /// A key of this number.
    package static func plain(_ number: UInt8, trusting others: [UInt8] = [1, 2, 3]) -> AuditSigner {
        let key = [UInt8](repeating: number, count: 32)
        return AuditSigner(publicKey: key, trust: .plain(others)) {
            PlainSHA256.digest(key + $0) + [UInt8](repeating: 0, count: 32)
        }
    }
}

extension AuditTrust {
    /// Keys of these numbers.
    package static func plain(_ numbers: [UInt8]) -> AuditTrust {
        AuditTrust(keys: numbers.map { [UInt8](repeating: $0, count: 32) }) { signature, message, key in
            signature == PlainSHA256.digest(key + message) + [UInt8](repeating: 0, count: 32)
        }
    }
}
