public import EligibilityRules

/// A session of the console, or a link that can be exchanged for one session.
public struct SessionRecord: Equatable, Sendable {
    /// The kind of record.
    public enum Kind: String, Sendable {
        /// A session of a signed-in user.
        case session
        /// A link that can be exchanged for a session, once.
        case link
    }

    /// SHA-256 of the token that the browser or the link carries.
    public let digest: [UInt8]
    /// Whether this is a session or a link.
    public let kind: Kind
    /// Id of the access key that the session acts for.
    public let accessID: String
    /// When the session began.
    public let createdAt: Instant
    /// When the session was last used, to the minute.
    public let usedAt: Instant
    /// The address from which the session began.
    public let address: String
    /// The browser's `User-Agent`.
    public let userAgent: String
    /// The user name given by a sign-in proxy; nil for a session that began otherwise.
    public let proxyName: String?

    /// Takes the values as they are.
    public init(
        digest: [UInt8],
        kind: Kind,
        accessID: String,
        createdAt: Instant,
        usedAt: Instant,
        address: String,
        userAgent: String,
        proxyName: String? = nil
    ) {
        self.digest = digest
        self.kind = kind
        self.accessID = accessID
        self.createdAt = createdAt
        self.usedAt = usedAt
        self.address = address
        self.userAgent = userAgent
        self.proxyName = proxyName
    }
}
