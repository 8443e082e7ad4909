package import OfferStore

extension SigningStore {
    /// A store that forgets: what the contracts mean, in its simplest form.
    package static func memory() -> SigningStore {
        let ledger = MemoryLedger()
        return SigningStore(
            ledger: ledger, clock: ledger, access: MemoryAccessStore(), secrets: MemorySecretStore(), file: MemoryFile())
    }
}
