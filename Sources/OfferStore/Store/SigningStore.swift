/// The stores of signing: signatures, access, and data that all processes share.
public struct SigningStore: Sendable {
    /// Signatures, and answers under idempotency keys.
    public let ledger: any Ledger
    /// Access keys, sessions, signing keys and secrets.
    public let credentials: CredentialStores
    /// Campaigns, segments and exposures.
    public let marketing: MarketingStores
    /// The clock, changes and replicas.
    public let processes: ProcessStores
    /// The audit log.
    public let audit: any AuditStore
    /// Events for the company's systems, and their deliveries.
    public let events: any EventStore
    /// The file or database that holds all of this.
    public let file: any StoredFile

    /// Groups stores that belong to the same file or database.
    public init(
        ledger: any Ledger,
        credentials: CredentialStores,
        marketing: MarketingStores,
        processes: ProcessStores,
        audit: any AuditStore,
        events: any EventStore,
        file: any StoredFile
    ) {
        self.ledger = ledger
        self.credentials = credentials
        self.marketing = marketing
        self.processes = processes
        self.audit = audit
        self.events = events
        self.file = file
    }
}

/// The stores of campaigns.
public struct MarketingStores: Sendable {
    /// Campaigns and their revisions.
    public let campaigns: any CampaignStore
    /// The segments that campaigns copy.
    public let segments: any SegmentStore
    /// Customers' exposures to variants of campaigns.
    public let exposures: any ExposureStore

    /// Groups stores that belong to the same file or database.
    public init(campaigns: any CampaignStore, segments: any SegmentStore, exposures: any ExposureStore) {
        self.campaigns = campaigns
        self.segments = segments
        self.exposures = exposures
    }
}

/// The stores by which the processes of one store know of each other.
public struct ProcessStores: Sendable {
    /// The state of the clock.
    public let clock: any ClockStore
    /// Changes of data that processes hold in memory.
    public let changes: any ChangeFeed
    /// The processes that serve the store; nil where only one can.
    public let replicas: (any ReplicaStore)?

    /// Groups stores that belong to the same file or database.
    public init(clock: any ClockStore, changes: any ChangeFeed, replicas: (any ReplicaStore)? = nil) {
        self.clock = clock
        self.changes = changes
        self.replicas = replicas
    }
}

/// The stores of credentials: access keys, sessions, decisions about signing keys, and secrets.
public struct CredentialStores: Sendable {
    /// Access keys.
    public let access: any AccessStore
    /// Sessions of the console.
    public let sessions: any SessionStore
    /// Decisions about signing keys, and their use.
    public let keys: any KeyStore
    /// Shared secrets.
    public let secrets: any SecretStore

    /// Groups stores that belong to the same file or database.
    public init(access: any AccessStore, sessions: any SessionStore, keys: any KeyStore, secrets: any SecretStore) {
        self.access = access
        self.sessions = sessions
        self.keys = keys
        self.secrets = secrets
    }
}
