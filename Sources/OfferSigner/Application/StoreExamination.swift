import EligibilityRules
import OfferService
import OfferStore
import OfferStoreSQLite

/// What was found about a store: whether its audit log is intact, and when it signed last.
struct StoreExamination {
    let verdict: AuditVerdict
    /// The instant of the latest signature; nil if there is none.
    let latest: Instant?
    /// The instant of the examination, by the machine's clock.
    let at: Instant

    /// Verifies the store's audit log.
    init(_ store: SigningStore, _ log: AuditLog) async throws {
        verdict = try await log.verify()
        latest = try await store.ledger.latestInstant()
        at = SystemEnvironment.live.now()
    }

    /// Verifies the store's audit log. Throws if it is not intact.
    init(intact store: SigningStore, _ log: AuditLog) async throws {
        try await self.init(store, log)
        guard verdict.isIntact else { throw StoreError(.damaged, verdict.faults.joined(separator: "; ")) }
    }
}

extension SigningStore {
    /// Throws if a replica has sent a heartbeat since `roll` was read.
    ///
    /// The heartbeats in `roll` do not count, because a store in an earlier state has those of that time.
    fileprivate func requireSilence(since roll: ReplicaRoll?) async throws {
        guard let replicas = processes.replicas, let roll else { return }
        let heard = try await replicas.roll().entries.filter { !roll.entries.contains($0) }.map(\.replica.address)
        guard heard.isEmpty else {
            throw StoreError(.unsuitable, "stop the replicas, then run this again: \(heard.joined(separator: ", "))")
        }
    }

    /// Makes a store that is in an earlier state usable for signing. Throws if its audit log does not verify.
    ///
    /// Afterwards no earlier nonce is accepted, because the store does not know which of them were used since that state.
    func takeUp(_ log: AuditLog, _ configuration: ServiceConfiguration) async throws -> StoreExamination {
        let found = try await StoreExamination(intact: self, log)
        try await credentials.secrets.remove(named: NonceDesk.secretName)
        try await processes.clock.accept(found.at)
        try await log.record(
            .restoreStore, by: .commandLine, object: AuditObject(before: found.latest?.iso8601, after: found.at.iso8601))
        try await file.reinstate()
        // A copy of a running service's file has rows of its last seconds, which the service sealed only afterwards.
        await seal(configuration, covering: found.verdict.unsealedEnds)
        return found
    }
}

extension ServiceConfiguration {
    /// Looks for damage in the configured store. A service may be running. Returns the damage, and the verdict on the audit log.
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
    /// Makes the configured store, which is in an earlier state, usable for signing. Throws if a service is using it.
    func takeUpStore() async throws -> StoreExamination {
        let lock = try lockStore(isNeeded: true)
        defer { lock?.release() }
        let store = try openSigningStore(accepting: .earlier, onWait: StandardError.note)
        let roll = try await store.processes.replicas?.roll()
        // A running replica may take some seconds to connect to the restored database, so one look would miss it.
        if roll != nil { StandardError.note("looking for replicas that run, for ten seconds …") }
        for _ in 0..<10 where roll != nil {
            try await Task.sleep(for: .seconds(1))
            try await store.requireSilence(since: roll)
        }
        let purchases = try openPurchaseStore(accepting: .earlier, onWait: StandardError.note)
        try await purchases.file.reinstate()
        try purchases.file.close()
        let found = try await store.takeUp(auditLog(of: store), self)
        // A running replica would continue with the secret that was just removed.
        try await store.requireSilence(since: roll)
        try store.file.close()
        return found
    }
}
