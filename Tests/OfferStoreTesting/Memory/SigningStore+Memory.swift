package import OfferStore

extension SigningStore {
    /// A store that forgets: what the contracts mean, in its simplest form.
    package static func memory() -> SigningStore {
        let audit = MemoryAudit()
        let ledger = MemoryLedger(audit)
        let access = MemoryAccessStore(audit)
        let keys = MemoryKeyStore(ledger, audit)
        return SigningStore(
            ledger: ledger, clock: ledger, access: access, sessions: MemorySessionStore(), keys: keys,
            changes: MemoryChangeFeed(access: access, keys: keys), secrets: MemorySecretStore(), audit: audit, file: MemoryFile())
    }
}
