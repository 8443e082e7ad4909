/// What the audit log of a store is known by, and its process to it.
package struct AuditIdentity: Sendable {
    private static let secretLength = 32
    private static let logIDLength = 8
    private static let version = Array("offersigner audit log 1\n".utf8)

    /// The cryptography.
    package let functions: AuditFunctions
    /// HMAC-SHA256 under the store's secret, for what is personal.
    package let keyed: AuditFunctions.Digest
    /// Tells this log from others: the first line of its seals, the name of its keys.
    package let origin: String
    /// Random; the same for all chains of this process.
    package let writer: [UInt8]

    /// - Parameter secret: gives the store's secret, which `make` provides the first time.
    package init(_ functions: AuditFunctions, secret: (_ make: () throws -> [UInt8]) throws -> [UInt8]) throws {
        self.functions = functions
        let secret = try secret { try functions.randomBytes(Self.secretLength) }
        keyed = try functions.hmac(secret)
        let log = functions.link(of: Self.version + secret).bytes.prefix(Self.logIDLength)
        origin = "offersigner/audit/\(Hexadecimal.encode(Array(log)))"
        writer = try functions.randomBytes(AuditChain.idLength)
    }
}
