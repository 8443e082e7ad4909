import EligibilityRules
import FoundationEssentials
import OfferService
import OfferStore
import OfferStorePostgreSQL
import OfferStoreSQLite

// The store is opened here, whichever database it is in. Other parts see the difference only if they are for one kind of
// database.
extension ServiceConfiguration {
    /// The name of the store, without its password.
    ///
    /// A relative path is made absolute, because it would name another store in every folder.
    var storeName: String {
        switch store {
        case .sqlite(let files): URL(filePath: files.signatures).path
        case .postgresql(let address): PostgreSQLStore.name(of: address)
        }
    }

    /// Whether there is no store yet. Throws if the database cannot be queried.
    var isStoreNew: Bool {
        get throws(StoreError) {
            switch store {
            case .sqlite(let files): !SQLiteStore.isThere(files.signatures)
            case .postgresql(let address): try PostgreSQLStore.isNew(address)
            }
        }
    }

    /// The path of the position file if the file is missing or empty; nil if it has a position, or none is configured.
    var unknownPositionFile: String? {
        positionFile.flatMap { ((try? Data(contentsOf: URL(filePath: $0))) ?? Data()).isEmpty ? $0 : nil }
    }

    /// Creates the missing parts of the store, and returns their names.
    func createStore(onWait: (String) -> Void) throws(StoreError) -> [String] {
        let missing =
            switch store {
            case .sqlite(let files): files.paths.filter { !SQLiteStore.isThere($0) }
            case .postgresql: try isStoreNew ? [storeName] : []
            }
        try open(now: SystemEnvironment.live.now, observer: nil, onWait: onWait).close()
        return missing
    }

    /// Brings the schema up to date, by opening the store.
    func migrateStore(onWait: (String) -> Void) throws(StoreError) { try openStore(onWait: onWait).close() }

    /// In production, throws if the store is missing, because its name is mistyped or it was lost.
    ///
    /// A new store in its place would know no used nonces and no purchases.
    private func requireStore(_ paths: [String]) throws(StoreError) {
        guard environment == .production else { return }
        let missing: String? =
            switch store {
            case .sqlite: paths.first { !SQLiteStore.isThere($0) }
            case .postgresql: try isStoreNew ? storeName : nil
            }
        guard let missing else { return }
        let key = store.files == nil ? "store.postgresql" : "store.sqlite"
        throw StoreError(
            .unavailable,
            "\(missing) \(store.files == nil ? "has no store in it" : "does not exist or is empty"): correct \(key), restore a backup, or begin with "
                + "an empty store: offersigner store create"
        )
    }

    /// Opens the whole store, and creates it on first use. In production it must exist.
    ///
    /// - Parameters:
    ///   - observer: observes commits; nil where nothing counts them.
    ///   - onWait: called if another process is opening the store.
    func openStore(
        system: SystemEnvironment = .live,
        observer: (any LedgerObserver)? = nil,
        onWait: (String) -> Void
    ) throws(StoreError) -> Store {
        try requireStore(store.files?.paths ?? [])
        return try open(now: system.now, observer: observer, onWait: onWait)
    }

    private var keepsEvents: Bool { !events.endpoints.isEmpty }

    private func open(
        now: @escaping @Sendable () -> Instant,
        observer: (any LedgerObserver)?,
        onWait: (String) -> Void
    ) throws(StoreError) -> Store {
        switch store {
        case .sqlite(let files):
            try .sqlite(
                signing: files.signatures, purchases: files.histories, observer: observer, audit: .openSSL,
                keepsEvents: keepsEvents, now: now,
                onWait: onWait)
        case .postgresql(let address):
            try .postgresql(
                address, isStandbyRequired: requiresSynchronousStandby, observer: observer, audit: .openSSL,
                keepsEvents: keepsEvents, positionFile: positionFile)
        }
    }

    /// Opens the part of the store about signing.
    ///
    /// - Parameter acceptance: which stores are opened besides the one that was used here last.
    func openSigningStore(
        accepting acceptance: StoreAcceptance = .current,
        onWait: (String) -> Void
    ) throws(StoreError) -> SigningStore {
        try requireStore(store.files.map { [$0.signatures] } ?? [])
        return switch store {
        case .sqlite(let files):
            try .sqlite(
                path: files.signatures, audit: .openSSL, accepting: acceptance, onWait: onWait)
        case .postgresql(let address):
            try .postgresql(address, audit: .openSSL, positionFile: positionFile, accepting: acceptance)
        }
    }

    /// Opens the part of the store about purchases.
    ///
    /// - Parameters:
    ///   - cacheMebibytes: the memory of each connection to a file; an import needs more.
    ///   - acceptance: which stores are opened besides the one that was used here last.
    func openPurchaseStore(
        cacheMebibytes: Int = 16,
        accepting acceptance: StoreAcceptance = .current,
        onWait: (String) -> Void
    ) throws(StoreError) -> PurchaseStore {
        try requireStore(store.files.map { [$0.histories] } ?? [])
        return switch store {
        case .sqlite(let files):
            try .sqlite(
                path: files.histories, cacheMebibytes: cacheMebibytes, accepting: acceptance,
                keepsEvents: keepsEvents, now: SystemEnvironment.live.now, onWait: onWait)
        case .postgresql(let address):
            try .postgresql(address, keepsEvents: keepsEvents, positionFile: positionFile, accepting: acceptance)
        }
    }

    /// Returns the audit log of an open store, with the keys of the key folder.
    func auditLog(of store: SigningStore) -> AuditLog {
        AuditLog(store: store.audit, keys: AuditKeyFolder(directory: keys.directory), system: .live)
    }

    /// Locks the files of the store for this process. Returns nil for a database, which processes share.
    ///
    /// - Parameter isNeeded: whether to throw if another process has the lock. If not, the process continues without it.
    func lockStore(isNeeded: Bool) throws(StoreError) -> ServingLock? {
        guard let files = store.files else { return nil }
        return try ServingLock(path: files.signatures, isNeeded: isNeeded)
    }

    /// Returns the files of the store. Throws for a database, whose own tools do what commands do with files.
    func storeFiles() throws(StoreError) -> StoreFiles {
        guard let files = store.files else {
            throw StoreError(
                .unsuitable,
                "the store is a PostgreSQL database, which has tools of its own for this; see docs/backup.md")
        }
        return files
    }
}
