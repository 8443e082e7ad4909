public import OfferStore

extension SigningStore {
    /// The part of a database that is about signing. Throws as `PostgreSQLStore` does.
    ///
    /// - Parameters:
    ///   - address: a connection string or URI of libpq's.
    ///   - observer: hears of what is committed; nil where nothing counts it.
    ///   - audit: the cryptography of the audit log.
    public static func postgresql(
        _ address: String,
        observer: (any LedgerObserver)? = nil,
        audit: AuditFunctions
    ) throws(StoreError) -> SigningStore {
        SigningStore(try PostgreSQLStore(address, audit: audit), observer)
    }

    fileprivate init(_ store: PostgreSQLStore, _ observer: (any LedgerObserver)?) {
        self.init(
            ledger: PostgreSQLLedger(store, observer: observer), clock: PostgreSQLClockStore(store),
            access: PostgreSQLAccessStore(store), sessions: PostgreSQLSessionStore(store), keys: PostgreSQLKeyStore(store),
            campaigns: PostgreSQLCampaignStore(store), exposures: PostgreSQLExposureStore(store),
            changes: PostgreSQLChangeFeed(store), secrets: PostgreSQLSecretStore(store), audit: PostgreSQLAuditStore(store),
            replicas: PostgreSQLReplicaStore(store), file: store)
    }
}

extension PurchaseStore {
    /// The part of a database that is about purchases. Throws as `PostgreSQLStore` does.
    ///
    /// - Parameter address: a connection string or URI of libpq's.
    public static func postgresql(_ address: String) throws(StoreError) -> PurchaseStore {
        PurchaseStore(try PostgreSQLStore(address))
    }

    fileprivate init(_ store: PostgreSQLStore) {
        let leases = PostgreSQLLeaseStore(store)
        self.init(
            histories: PostgreSQLHistoryStore(store), customers: PostgreSQLCustomerScan(store),
            bulk: PostgreSQLHistoryBulkStore(store), receipts: PostgreSQLReceiptStore(store), leases: leases, progress: leases,
            file: store)
    }
}

extension Store {
    /// Connects to a database. Throws as `PostgreSQLStore` does.
    ///
    /// - Parameters:
    ///   - address: a connection string or URI of libpq's.
    ///   - isStandbyRequired: whether the store is not ready while commits wait for no standby.
    ///   - observer: hears of what is committed; nil where nothing counts it.
    ///   - audit: the cryptography of the audit log.
    public static func postgresql(
        _ address: String,
        isStandbyRequired: Bool,
        observer: (any LedgerObserver)? = nil,
        audit: AuditFunctions
    ) throws(StoreError) -> Store {
        let store = try PostgreSQLStore(address, isStandbyRequired: isStandbyRequired, audit: audit)
        return Store(
            signing: SigningStore(store, observer), purchases: PurchaseStore(store),
            redemptions: PostgreSQLRedemptionStore(store))
    }
}
