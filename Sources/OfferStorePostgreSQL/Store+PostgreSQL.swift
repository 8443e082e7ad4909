public import OfferStore
import OfferStoreSQL

extension SigningStore {
    /// Connects to the signing store in a database.
    ///
    /// Throws as `PostgreSQLStore` does.
    ///
    /// - Parameters:
    ///   - address: a connection string or URI of libpq.
    ///   - observer: receives reports of commits; nil for none.
    ///   - audit: the cryptographic functions of the audit log.
    ///   - positionFile: the file that remembers, from one start to the next, how far the database has come; nil for none.
    ///   - acceptance: which databases are opened besides the one that was used here last.
    ///   - rowsPerSlice: how many rows a search reads before others get their turn.
    public static func postgresql(
        _ address: String,
        observer: (any LedgerObserver)? = nil,
        audit: AuditFunctions,
        positionFile: String? = nil,
        accepting acceptance: StoreAcceptance = .current,
        rowsPerSlice: Int64 = 10_000
    ) throws(StoreError) -> SigningStore {
        let store = try PostgreSQLStore(
            address, audit: audit, positionFile: positionFile, accepting: acceptance, rowsPerSlice: rowsPerSlice)
        return SigningStore(store, observer)
    }

    fileprivate init(_ store: PostgreSQLStore, _ observer: (any LedgerObserver)?) {
        self.init(
            ledger: PostgreSQLLedger(store, observer: observer),
            credentials: CredentialStores(
                access: SQLAccessStore(store), sessions: SQLSessionStore(store), keys: SQLKeyStore(store),
                secrets: SQLSecretStore(store)),
            marketing: MarketingStores(
                campaigns: SQLCampaignStore(store), segments: SQLSegmentStore(store),
                exposures: SQLExposureStore(store)),
            processes: ProcessStores(
                clock: PostgreSQLClockStore(store), changes: SQLChangeFeed(store), replicas: PostgreSQLReplicaStore(store)),
            audit: PostgreSQLAuditStore(store), events: SQLEventStore(store, PostgreSQLEventCollector(store: store)), file: store)
    }
}

extension PurchaseStore {
    /// Connects to the purchase store in a database.
    ///
    /// Throws as `PostgreSQLStore` does.
    ///
    /// - Parameters:
    ///   - address: a connection string or URI of libpq.
    ///   - keepsEvents: whether changes make events.
    ///   - positionFile: the file that remembers, from one start to the next, how far the database has come; nil for none.
    ///   - acceptance: which databases are opened besides the one that was used here last.
    public static func postgresql(
        _ address: String,
        keepsEvents: Bool = false,
        positionFile: String? = nil,
        accepting acceptance: StoreAcceptance = .current
    ) throws(StoreError) -> PurchaseStore {
        PurchaseStore(try PostgreSQLStore(address, keepsEvents: keepsEvents, positionFile: positionFile, accepting: acceptance))
    }

    fileprivate init(_ store: PostgreSQLStore) {
        let leases = SQLLeaseStore(store, now: nil)
        self.init(
            histories: PostgreSQLHistoryStore(store), customers: PostgreSQLCustomerScan(store),
            bulk: PostgreSQLHistoryBulkStore(store), receipts: SQLReceiptStore(store),
            refunds: SQLRefundStore(store), leases: leases, progress: leases, file: store)
    }
}

extension Store {
    /// Connects to a database.
    ///
    /// Throws as `PostgreSQLStore` does.
    ///
    /// - Parameters:
    ///   - address: a connection string or URI of libpq.
    ///   - isStandbyRequired: whether the store is not ready unless commits wait for a standby.
    ///   - observer: receives reports of commits; nil for none.
    ///   - audit: the cryptographic functions of the audit log.
    ///   - keepsEvents: whether changes of purchases make events.
    ///   - positionFile: the file that remembers, from one start to the next, how far the database has come; nil for none.
    public static func postgresql(
        _ address: String,
        isStandbyRequired: Bool,
        observer: (any LedgerObserver)? = nil,
        audit: AuditFunctions,
        keepsEvents: Bool = false,
        positionFile: String? = nil
    ) throws(StoreError) -> Store {
        let store = try PostgreSQLStore(
            address, isStandbyRequired: isStandbyRequired, audit: audit, keepsEvents: keepsEvents, positionFile: positionFile)
        return Store(
            signing: SigningStore(store, observer), purchases: PurchaseStore(store),
            redemptions: PostgreSQLRedemptionStore(store))
    }
}
