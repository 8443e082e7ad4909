import EligibilityRules
import FoundationEssentials
import OfferService
import OfferStore
import OfferStorePostgreSQL
import OfferStoreSQLite

// The one place that says which database it is.
extension ServiceConfiguration {
    /// Names the store, without its password. A relative path means another store in every folder: it is made absolute.
    var storeName: String {
        switch store {
        case .sqlite(let files): URL(filePath: files.signatures).path
        case .postgresql(let address): PostgreSQLStore.name(of: address)
        }
    }

    /// Whether nothing has been stored yet. Throws when the database cannot be asked.
    var isStoreNew: Bool {
        get throws(StoreError) {
            switch store {
            case .sqlite(let files): !TextFile.exists(files.signatures)
            case .postgresql(let address): try PostgreSQLStore.isNew(address)
            }
        }
    }

    /// Makes what is missing of the store, and returns its names.
    func createStore(onWait: (String) -> Void) throws(StoreError) -> [String] {
        let missing =
            switch store {
            case .sqlite(let files): files.paths.filter { !TextFile.exists($0) }
            case .postgresql: try isStoreNew ? [storeName] : []
            }
        try open(now: SystemEnvironment.live.now, observer: nil, onWait: onWait).close()
        return missing
    }

    /// Brings the schema up to date, as opening does.
    func migrateStore(onWait: (String) -> Void) throws(StoreError) { try openStore(onWait: onWait).close() }

    /// In production a missing store is a mistyped name or a lost one: an empty one in its place would have no nonce and no purchase.
    private func requireStore(_ paths: [String]) throws(StoreError) {
        guard environment == .production else { return }
        let missing: String? =
            switch store {
            case .sqlite: paths.first { !TextFile.exists($0) }
            case .postgresql: try isStoreNew ? storeName : nil
            }
        guard let missing else { return }
        let key = store.files == nil ? "store.postgresql" : "store.sqlite"
        throw StoreError(
            .unavailable,
            "\(missing) \(store.files == nil ? "has no store in it" : "does not exist"): correct \(key), restore a backup, or begin with "
                + "an empty store: offersigner store create"
        )
    }

    /// Opens all that is stored, creating it on first use; in production it has to be there.
    ///
    /// - Parameters:
    ///   - observer: hears of what is committed; nil where nothing counts it.
    ///   - onWait: hears if another process is opening it.
    func openStore(
        system: SystemEnvironment = .live,
        observer: (any LedgerObserver)? = nil,
        onWait: (String) -> Void
    ) throws(StoreError) -> Store {
        try requireStore(store.files?.paths ?? [])
        return try open(now: system.now, observer: observer, onWait: onWait)
    }

    private func open(
        now: @escaping @Sendable () -> Instant,
        observer: (any LedgerObserver)?,
        onWait: (String) -> Void
    ) throws(StoreError) -> Store {
        switch store {
        case .sqlite(let files):
            try .sqlite(
                signing: files.signatures, purchases: files.histories, observer: observer, audit: .openSSL, now: now,
                onWait: onWait)
        case .postgresql(let address):
            try .postgresql(address, isStandbyRequired: requiresSynchronousStandby, observer: observer, audit: .openSSL)
        }
    }

    /// Opens what is stored about signing.
    ///
    /// - Parameter isCopiedAwayAccepted: false throws for a file that was copied to a database.
    func openSigningStore(isCopiedAwayAccepted: Bool = false, onWait: (String) -> Void) throws(StoreError) -> SigningStore {
        try requireStore(store.files.map { [$0.signatures] } ?? [])
        return switch store {
        case .sqlite(let files):
            try .sqlite(
                path: files.signatures, audit: .openSSL, isCopiedAwayAccepted: isCopiedAwayAccepted, onWait: onWait)
        case .postgresql(let address): try .postgresql(address, audit: .openSSL)
        }
    }

    /// Opens what is stored about purchases.
    ///
    /// - Parameters:
    ///   - cacheMebibytes: memory of each connection to a file; an import wants more.
    ///   - isCopiedAwayAccepted: false throws for a file that was copied to a database.
    func openPurchaseStore(
        cacheMebibytes: Int = 16,
        isCopiedAwayAccepted: Bool = false,
        onWait: (String) -> Void
    ) throws(StoreError) -> PurchaseStore {
        try requireStore(store.files.map { [$0.histories] } ?? [])
        return switch store {
        case .sqlite(let files):
            try .sqlite(
                path: files.histories, cacheMebibytes: cacheMebibytes, isCopiedAwayAccepted: isCopiedAwayAccepted,
                now: SystemEnvironment.live.now, onWait: onWait)
        case .postgresql(let address): try .postgresql(address)
        }
    }

    /// The audit log of an open store, with the keys of the key folder.
    func auditLog(of store: SigningStore) -> AuditLog {
        AuditLog(store: store.audit, keys: AuditKeyFolder(directory: keys.directory), system: .live)
    }

    /// Says that this process serves the store. Throws if another one does; nil for a database, which processes share.
    ///
    /// - Parameter isNeeded: false goes on without the lock.
    func lockStore(isNeeded: Bool) throws(StoreError) -> ServingLock? {
        guard let files = store.files else { return nil }
        return try ServingLock(path: files.signatures, isNeeded: isNeeded)
    }

    /// The files of the store. Throws for a database, which has tools of its own for what is done to files.
    func storeFiles() throws(StoreError) -> StoreFiles {
        guard let files = store.files else {
            throw StoreError(
                .unsuitable,
                "the store is a PostgreSQL database, which has tools of its own for this; see docs/backup.md")
        }
        return files
    }
}
