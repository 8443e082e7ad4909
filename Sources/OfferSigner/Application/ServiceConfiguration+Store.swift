import OfferService
import OfferStore
import OfferStoreSQLite

// The one place that says which database it is.
extension ServiceConfiguration {
    /// Whether nothing has been stored yet.
    var isStoreNew: Bool { !TextFile.exists(sqlitePath) }

    /// Makes the files of the store that are missing, and returns their paths.
    func createStore(onWait: (String) -> Void) throws(StoreError) -> [String] {
        let missing = [sqlitePath, historiesPath].filter { !TextFile.exists($0) }
        let store = try Store.sqlite(
            signing: sqlitePath, purchases: historiesPath, audit: .openSSL, now: SystemEnvironment.live.now, onWait: onWait)
        try store.signing.file.close()
        try store.purchases.file.close()
        return missing
    }

    /// In production a missing file is a mistyped path or a lost store: an empty one in its place would have no nonce and no purchase.
    private func requireFiles(_ paths: String...) throws(StoreError) {
        guard environment == .production, let missing = paths.first(where: { !TextFile.exists($0) }) else { return }
        throw StoreError(
            .unavailable,
            "\(missing) does not exist: correct store.sqlite, restore a backup, or begin with an empty store: offersigner store create"
        )
    }

    /// Opens all that is stored, creating it on first use; in production it has to be there.
    ///
    /// - Parameters:
    ///   - observer: is told of what is committed; nil where nobody counts it.
    ///   - onWait: is told if another process is opening it.
    func openStore(
        system: SystemEnvironment = .live,
        observer: (any LedgerObserver)? = nil,
        onWait: (String) -> Void
    ) throws(StoreError) -> Store {
        try requireFiles(sqlitePath, historiesPath)
        return try .sqlite(
            signing: sqlitePath, purchases: historiesPath, observer: observer, audit: .openSSL, now: system.now,
            onWait: onWait)
    }

    /// Opens what is stored about signing.
    func openSigningStore(onWait: (String) -> Void) throws(StoreError) -> SigningStore {
        try requireFiles(sqlitePath)
        return try .sqlite(path: sqlitePath, audit: .openSSL, onWait: onWait)
    }

    /// Opens what is stored about purchases.
    ///
    /// - Parameter cacheMebibytes: memory of each connection; an import wants more.
    func openPurchaseStore(cacheMebibytes: Int = 16, onWait: (String) -> Void) throws(StoreError) -> PurchaseStore {
        try requireFiles(historiesPath)
        return try .sqlite(path: historiesPath, cacheMebibytes: cacheMebibytes, now: SystemEnvironment.live.now, onWait: onWait)
    }

    /// Says that this process serves the store. Throws if another one does.
    ///
    /// - Parameter isNeeded: false goes on without the lock.
    func lockStore(isNeeded: Bool) throws(StoreError) -> ServingLock {
        try ServingLock(path: sqlitePath, isNeeded: isNeeded)
    }
}
