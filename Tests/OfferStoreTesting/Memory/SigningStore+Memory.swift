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
        ledger.use(signers: { keys.revoked }, callers: { access.revoked })
        return SigningStore(
            ledger: ledger,
            credentials: CredentialStores(
                access: access, sessions: MemorySessionStore(), keys: keys, secrets: MemorySecretStore()),
            marketing: MarketingStores(campaigns: campaigns, segments: MemorySegmentStore(audit), exposures: ledger),
            processes: ProcessStores(clock: ledger, changes: MemoryChangeFeed(access: access, keys: keys, campaigns: campaigns)),
            audit: audit, events: MemoryEventStore(ledger, audit, purchases: purchases), file: MemoryFile())
    }
}
