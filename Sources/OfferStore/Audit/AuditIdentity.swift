/// The identity of a store's audit log, and of the process that writes to it.
package struct AuditIdentity: Sendable {
    private static let secretLength = 32
    private static let logIDLength = 8
    private static let version = Array("offersigner audit log 1\n".utf8)

    package let functions: AuditFunctions
    /// HMAC-SHA256 under the store's secret, for personal data.
    package let keyed: AuditFunctions.Digest
    /// The log's unique name: the first line of its seals, and the name of its keys.
    package let origin: String
    /// Random id of this process, the same for all of its chains.
    package let writer: [UInt8]

    /// - Parameter secret: returns the store's secret; calls `make` for a new store.
    package init(_ functions: AuditFunctions, secret: (_ make: () throws -> [UInt8]) throws -> [UInt8]) throws {
        self.functions = functions
        let secret = try secret { try functions.randomBytes(Self.secretLength) }
        keyed = try functions.hmac(secret)
        let log = functions.link(of: Self.version + secret).bytes.prefix(Self.logIDLength)
        origin = "offersigner/audit/\(Hexadecimal.encode(Array(log)))"
        writer = try functions.randomBytes(AuditChain.idLength)
    }
}
