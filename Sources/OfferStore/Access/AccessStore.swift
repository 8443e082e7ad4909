public import EligibilityRules

/// The access keys of callers.
public protocol AccessStore: Sendable {
    /// Every key, including revoked and expired ones, the oldest first, each compared with its audit events.
    func accessRecords() async throws(StoreError) -> [AccessRecord]

    /// Adds a key, and records the events in the audit log, in one transaction.
    func add(_ record: AccessRecord, audit events: [AuditEvent]) async throws(StoreError)

    /// Revokes a key, and records the events with it. Returns false, and records nothing, if there is no such key.
    ///
    /// A second revocation keeps the first instant.
    func revokeAccess(id: String, at instant: Instant, audit events: [AuditEvent]) async throws(StoreError) -> Bool

    /// Notes when keys were last used.
    ///
    /// An instant earlier than the stored one changes nothing. The keys themselves do not change, so no process reloads them.
    ///
    /// - Parameter instants: the time of the last use, by the id of the key.
    func noteUse(_ instants: [String: Instant]) async throws(StoreError)
}

/// Sessions of the console, and sign-in links.
public protocol SessionStore: Sendable {
    /// Adds a session, and deletes those that began before an instant.
    func add(_ session: SessionRecord, forgettingBefore instant: Instant) async throws(StoreError)

    /// The session with a digest; nil if there is none.
    func session(digest: [UInt8]) async throws(StoreError) -> SessionRecord?

    /// All sessions of an access key, the latest first.
    func sessions(accessID: String) async throws(StoreError) -> [SessionRecord]

    /// Notes that a session was used.
    func noteUse(digest: [UInt8], at instant: Instant) async throws(StoreError)

    /// Ends a session. Returns false if there is none; of several concurrent calls only one returns true.
    func end(digest: [UInt8]) async throws(StoreError) -> Bool

    /// Ends all sessions of an access key. Returns how many there were.
    func endAll(accessID: String) async throws(StoreError) -> Int
}

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

    /// Stores the given values without checking them.
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

extension SessionRecord.Kind {
    /// Parses a stored value. Throws `damaged` if it is unknown.
    package init(stored text: String) throws(StoreError) {
        guard let kind = SessionRecord.Kind(rawValue: text) else {
            throw StoreError(.damaged, "a session of the console has no known kind")
        }
        self = kind
    }
}
