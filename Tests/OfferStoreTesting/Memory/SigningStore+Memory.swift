package import OfferStore

extension SigningStore {
    /// A store that forgets: what the contracts mean, in its simplest form.
    package static func memory() -> SigningStore {
        let ledger = MemoryLedger()
        let access = MemoryAccessStore()
        let keys = MemoryKeyStore(ledger)
        return SigningStore(
            ledger: ledger, clock: ledger, access: access, sessions: MemorySessionStore(), keys: keys,
            changes: MemoryChangeFeed(access: access, keys: keys),
            secrets: MemorySecretStore(), file: MemoryFile())
    }
}
