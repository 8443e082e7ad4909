/// The stores of signing: signatures, access, and data that all processes share.
public struct SigningStore: Sendable {
    /// Signatures, and answers under idempotency keys.
    public let ledger: any Ledger
    /// The state of the clock.
    public let clock: any ClockStore
    /// Access keys.
    public let access: any AccessStore
    /// Sessions of the console.
    public let sessions: any SessionStore
    /// Decisions about signing keys, and their use.
    public let keys: any KeyStore
    /// Campaigns and their revisions.
    public let campaigns: any CampaignStore
    /// The segments that campaigns copy.
    public let segments: any SegmentStore
    /// Customers' exposures to variants of campaigns.
    public let exposures: any ExposureStore
    /// Changes of data that processes hold in memory.
    public let changes: any ChangeFeed
    /// Shared secrets.
    public let secrets: any SecretStore
    /// The audit log.
    public let audit: any AuditStore
    /// Events for the company's systems, and their deliveries.
    public let events: any EventStore
    /// The processes that serve the store; nil where only one can.
    public let replicas: (any ReplicaStore)?
    /// The file or database that holds all of this.
    public let file: any StoredFile

    /// Takes the parts of one file.
    public init(
        ledger: any Ledger,
        clock: any ClockStore,
        access: any AccessStore,
        sessions: any SessionStore,
        keys: any KeyStore,
        campaigns: any CampaignStore,
        segments: any SegmentStore,
        exposures: any ExposureStore,
        changes: any ChangeFeed,
        secrets: any SecretStore,
        audit: any AuditStore,
        events: any EventStore,
        replicas: (any ReplicaStore)? = nil,
        file: any StoredFile
    ) {
        self.ledger = ledger
        self.clock = clock
        self.access = access
        self.sessions = sessions
        self.keys = keys
        self.campaigns = campaigns
        self.segments = segments
        self.exposures = exposures
        self.changes = changes
        self.secrets = secrets
        self.audit = audit
        self.events = events
        self.replicas = replicas
        self.file = file
    }
}
