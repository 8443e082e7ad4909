public import EligibilityRules
public import OfferStore
import OfferStoreSQL

extension SigningStore {
    /// Opens the file, and creates it on first use. Throws as `SQLiteStore` does.
    ///
    /// - Parameters:
    ///   - observer: receives reports of commits; nil for none.
    ///   - audit: the cryptographic functions of the audit log.
    ///   - acceptance: which stores are opened besides the one that was used here last.
    ///   - rowsPerSlice: how many rows a search reads before others get their turn.
    ///   - onWait: called if another process is opening the file. Waits at most 10 s.
    public static func sqlite(
        path: String,
        observer: (any LedgerObserver)? = nil,
        audit: AuditFunctions,
        accepting acceptance: StoreAcceptance = .current,
        rowsPerSlice: Int64 = 10_000,
        onWait: (String) -> Void
    ) throws(StoreError) -> SigningStore {
        let store = try SQLiteStore(
            path: path, audit: audit, accepting: acceptance, rowsPerSlice: rowsPerSlice, onWait: onWait)
        return SigningStore(store, observer)
    }

    fileprivate init(_ store: SQLiteStore, _ observer: (any LedgerObserver)?, purchases: SQLiteHistoryFile? = nil) {
        self.init(
            ledger: SQLiteLedger(store: store, observer: observer),
            credentials: CredentialStores(
                access: SQLAccessStore(store), sessions: SQLSessionStore(store),
                keys: SQLKeyStore(store), secrets: SQLSecretStore(store)),
            marketing: MarketingStores(
                campaigns: SQLCampaignStore(store), segments: SQLSegmentStore(store),
                exposures: SQLExposureStore(store)),
            processes: ProcessStores(clock: SQLiteClockStore(store: store), changes: SQLChangeFeed(store)),
            audit: SQLiteAuditStore(store: store),
            events: SQLEventStore(store, SQLiteEventCollector(store: store, purchases: purchases)), file: store)
    }
}

extension PurchaseStore {
    /// Opens the file, and creates it on first use. Throws as `SQLiteStore` does.
    ///
    /// - Parameters:
    ///   - cacheMebibytes: page cache of each connection. In a bulk import the indexes must fit in it.
    ///   - acceptance: which stores are opened besides the one that was used here last.
    ///   - keepsEvents: whether changes make events.
    ///   - now: returns the time, by which leases expire.
    ///   - onWait: called if another process is opening the file. Waits at most 10 s.
    public static func sqlite(
        path: String,
        cacheMebibytes: Int = 16,
        accepting acceptance: StoreAcceptance = .current,
        keepsEvents: Bool = false,
        now: @escaping @Sendable () -> Instant,
        onWait: (String) -> Void
    ) throws(StoreError) -> PurchaseStore {
        let file = try SQLiteHistoryFile(
            path: path, cacheMebibytes: cacheMebibytes, accepting: acceptance, keepsEvents: keepsEvents,
            onWait: onWait)
        return PurchaseStore(file, now)
    }

    fileprivate init(_ file: SQLiteHistoryFile, _ now: @escaping @Sendable () -> Instant) {
        let leases = SQLLeaseStore(file.store, now: now)
        self.init(
            histories: SQLiteHistoryStore(file), customers: SQLiteCustomerScan(file), bulk: SQLiteHistoryBulkStore(file),
            receipts: SQLReceiptStore(file), refunds: SQLRefundStore(file.store),
            leases: leases, progress: leases, file: file.store)
    }
}

extension Store {
    /// Opens both files, and creates them on first use. Throws as `SQLiteStore` does.
    ///
    /// - Parameters:
    ///   - observer: receives reports of commits; nil for none.
    ///   - audit: the cryptographic functions of the audit log.
    ///   - keepsEvents: whether changes of purchases make events.
    ///   - now: returns the time, by which leases expire.
    ///   - onWait: called if another process is opening a file. Waits at most 10 s.
    public static func sqlite(
        signing path: String,
        purchases purchasesPath: String,
        observer: (any LedgerObserver)? = nil,
        audit: AuditFunctions,
        keepsEvents: Bool = false,
        now: @escaping @Sendable () -> Instant,
        onWait: (String) -> Void
    ) throws(StoreError) -> Store {
        let store = try SQLiteStore(path: path, audit: audit, onWait: onWait)
        let file = try SQLiteHistoryFile(path: purchasesPath, keepsEvents: keepsEvents, onWait: onWait)
        return Store(
            signing: SigningStore(store, observer, purchases: file), purchases: PurchaseStore(file, now),
            redemptions: SQLiteRedemptionStore(file, signatures: store))
    }
}
