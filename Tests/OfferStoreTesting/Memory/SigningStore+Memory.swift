package import OfferStore

extension SigningStore {
    /// A store that forgets: what the contracts mean, in its simplest form.
    package static func memory() -> SigningStore {
        let ledger = MemoryLedger()
        let access = MemoryAccessStore()
        return SigningStore(
            ledger: ledger, clock: ledger, access: access, changes: access, secrets: MemorySecretStore(), file: MemoryFile())
    }
}
