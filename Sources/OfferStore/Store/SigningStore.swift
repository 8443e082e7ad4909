/// What is stored about signing: what was signed, who may call, and what all processes share.
public struct SigningStore: Sendable {
    /// Signatures, and answers under idempotency keys.
    public let ledger: any Ledger
    /// What is known of the clock.
    public let clock: any ClockStore
    /// Access keys.
    public let access: any AccessStore
    /// Who is signed in to the console.
    public let sessions: any SessionStore
    /// Decisions about signing keys, and their use.
    public let keys: any KeyStore
    /// Campaigns and their revisions.
    public let campaigns: any CampaignStore
    /// Who was shown which variant of which campaign.
    public let exposures: any ExposureStore
    /// What has changed of what processes keep in memory.
    public let changes: any ChangeFeed
    /// Shared secrets.
    public let secrets: any SecretStore
    /// The audit log.
    public let audit: any AuditStore
    /// The processes that serve the store; nil where that is one.
    public let replicas: (any ReplicaStore)?
    /// What holds all of this.
    public let file: any StoredFile

    /// Takes the parts of one file.
    public init(
        ledger: any Ledger,
        clock: any ClockStore,
        access: any AccessStore,
        sessions: any SessionStore,
        keys: any KeyStore,
        campaigns: any CampaignStore,
        exposures: any ExposureStore,
        changes: any ChangeFeed,
        secrets: any SecretStore,
        audit: any AuditStore,
        replicas: (any ReplicaStore)? = nil,
        file: any StoredFile
    ) {
        self.ledger = ledger
        self.clock = clock
        self.access = access
        self.sessions = sessions
        self.keys = keys
        self.campaigns = campaigns
        self.exposures = exposures
        self.changes = changes
        self.secrets = secrets
        self.audit = audit
        self.replicas = replicas
        self.file = file
    }
}
