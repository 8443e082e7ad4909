import EligibilityRules
import OfferService
import OfferStore
import OfferStoreSQLite

/// What is known of a store that is as it was at an earlier time.
struct StoreExamination {
    let verdict: AuditVerdict
    /// Of the latest signature; nil: there is none.
    let latest: Instant?
    /// When it was looked at, by the machine's clock.
    let at: Instant

    /// Verifies the store's audit log.
    init(_ store: SigningStore, _ log: AuditLog) async throws {
        verdict = try await log.verify()
        latest = try await store.ledger.latestInstant()
        at = SystemEnvironment.live.now()
    }

    /// The same; throws where it does not verify.
    init(intact store: SigningStore, _ log: AuditLog) async throws {
        try await self.init(store, log)
        guard verdict.isIntact else { throw StoreError(.damaged, verdict.faults.joined(separator: "; ")) }
    }
}

extension SigningStore {
    /// Throws if a replica has been heard of since `roll`: a store from an earlier time has heartbeats of that time.
    fileprivate func requireSilence(since roll: ReplicaRoll?) async throws {
        guard let replicas, let roll else { return }
        let heard = try await replicas.roll().entries.filter { !roll.entries.contains($0) }.map(\.replica.address)
        guard heard.isEmpty else {
            throw StoreError(.unsuitable, "stop the replicas, then run this again: \(heard.joined(separator: ", "))")
        }
    }

    /// Makes a store fit to be signed on that is as it was at an earlier time. Throws where its audit log does not verify.
    ///
    /// No nonce from before is accepted afterwards: the store does not know which of them were used since.
    func takeUp(_ log: AuditLog, _ configuration: ServiceConfiguration) async throws -> StoreExamination {
        let found = try await StoreExamination(intact: self, log)
        try await secrets.remove(named: NonceDesk.secretName)
        try await clock.accept(found.at)
        try await log.record(.restoreStore, by: .commandLine, before: found.latest?.iso8601, after: found.at.iso8601)
        try await file.reinstate()
        await seal(configuration)
        return found
    }
}

extension ServiceConfiguration {
    /// Looks for damage, beside a running service. Returns what is damaged, and the verdict on the audit log.
    func examineStore() async throws -> (faults: [String], examination: StoreExamination) {
        guard try !isStoreNew else { throw StoreError(.unavailable, "\(storeName) has no store in it") }
        let store = try openStore(onWait: StandardError.note)
        defer { try? store.close() }
        var faults: [String] = []
        for file in self.store.files == nil ? [store.signing.file] : [store.signing.file, store.purchases.file] {
            do throws(StoreError) { try await file.examine() } catch { faults.append("\(error)") }
        }
        return (faults, try await StoreExamination(store.signing, auditLog(of: store.signing)))
    }
}

extension ServiceConfiguration {
    /// The same for the configured store, which no service may work on.
    func takeUpStore() async throws -> StoreExamination {
        let lock = try lockStore(isNeeded: true)
        defer { lock?.release() }
        let store = try openSigningStore(isCopiedAwayAccepted: true, onWait: StandardError.note)
        let roll = try await store.replicas?.roll()
        // One that runs may have to find the database again first.
        if roll != nil { StandardError.note("looking for replicas that run, for ten seconds …") }
        for _ in 0..<10 where roll != nil {
            try await Task.sleep(for: .seconds(1))
            try await store.requireSilence(since: roll)
        }
        let purchases = try openPurchaseStore(isCopiedAwayAccepted: true, onWait: StandardError.note)
        try await purchases.file.reinstate()
        try purchases.file.close()
        let found = try await store.takeUp(auditLog(of: store), self)
        // It would go on with the secret that is forgotten now.
        try await store.requireSilence(since: roll)
        try store.file.close()
        return found
    }
}
