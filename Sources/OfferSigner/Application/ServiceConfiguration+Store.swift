import OfferService
import OfferStore
import OfferStoreSQLite

// The one place that says which database it is.
extension ServiceConfiguration {
    /// Opens all that is stored, creating it on first use.
    ///
    /// - Parameters:
    ///   - observer: is told of what is committed; nil where nobody counts it.
    ///   - onWait: is told if another process is opening it.
    func openStore(
        system: SystemEnvironment = .live,
        observer: (any LedgerObserver)? = nil,
        onWait: (String) -> Void
    ) throws(StoreError) -> Store {
        try .sqlite(
            signing: sqlitePath, purchases: historiesPath, observer: observer, audit: .openSSL, now: system.now,
            onWait: onWait)
    }

    /// Opens what is stored about signing.
    func openSigningStore(onWait: (String) -> Void) throws(StoreError) -> SigningStore {
        try .sqlite(path: sqlitePath, audit: .openSSL, onWait: onWait)
    }

    /// Opens what is stored about purchases.
    ///
    /// - Parameter cacheMebibytes: memory of each connection; an import wants more.
    func openPurchaseStore(cacheMebibytes: Int = 16, onWait: (String) -> Void) throws(StoreError) -> PurchaseStore {
        try .sqlite(path: historiesPath, cacheMebibytes: cacheMebibytes, now: SystemEnvironment.live.now, onWait: onWait)
    }

    /// Says that this process serves the store. Throws if another one does.
    ///
    /// - Parameter isNeeded: false goes on without the lock.
    func lockStore(isNeeded: Bool) throws(StoreError) -> ServingLock {
        try ServingLock(path: sqlitePath, isNeeded: isNeeded)
    }
}
