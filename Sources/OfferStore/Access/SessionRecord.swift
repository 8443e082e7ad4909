public import EligibilityRules

/// Somebody who is signed in to the console, or a link with which somebody can sign in once.
public struct SessionRecord: Equatable, Sendable {
    /// What it is.
    public enum Kind: String, Sendable {
        /// Of somebody who is signed in.
        case session
        /// To be exchanged for a session, once.
        case link
    }

    /// SHA-256 of what the browser, or the link, carries.
    public let digest: [UInt8]
    /// What it is.
    public let kind: Kind
    /// The access key behind it.
    public let accessID: String
    /// When it began.
    public let createdAt: Instant
    /// When it was seen last, to the minute.
    public let usedAt: Instant
    /// From which address it began.
    public let address: String
    /// The browser, as it calls itself.
    public let userAgent: String
    /// The name under which a sign-in proxy has let somebody in; nil for a session that began otherwise.
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
