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

    /// Takes the parts of one file.
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
