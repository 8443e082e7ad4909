package import OfferStore
import Synchronization

extension SigningStore {
    /// A store that forgets: what the contracts mean, in its simplest form.
    ///
    /// - Parameter purchases: histories whose changes make events; nil for none.
    package static func memory(purchases: MemoryHistoryFile? = nil) -> SigningStore {
        let audit = MemoryAudit()
        let ledger = MemoryLedger(audit)
        let access = MemoryAccessStore(audit)
        let keys = MemoryKeyStore(ledger, audit)
        let campaigns = MemoryCampaignStore(audit)
        ledger.authorities.withLock { $0 = ({ keys.revoked }, { access.revoked }) }
        return SigningStore(
            ledger: ledger, clock: ledger, access: access, sessions: MemorySessionStore(), keys: keys,
            campaigns: campaigns, segments: MemorySegmentStore(audit), exposures: ledger,
            changes: MemoryChangeFeed(access: access, keys: keys, campaigns: campaigns),
            secrets: MemorySecretStore(), audit: audit,
            events: MemoryEventStore(ledger, audit, purchases: purchases), file: MemoryFile())
    }
}
