import OfferSigning
package import OfferStore

extension AuditFunctions {
    /// The functions of OpenSSL, called through the shim.
    package static let openSSL = AuditFunctions(
        sha256: { Crypto.writeSHA256(of: $0, to: $1) },
        hmac: { secret in
            let key = try AuthenticationKey(secret: secret)
            return { key.writeCode(of: $0, to: $1) }
        },
        randomBytes: { try Crypto.randomBytes($0) })
}
