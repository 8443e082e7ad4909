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
}

extension SigningStore {
    /// The addresses of replicas that are heard of now: a store from an earlier time has heartbeats of that time.
    fileprivate func livingReplicas() async throws -> [String] {
        guard let replicas else { return [] }
        let before = try await replicas.roll()
        guard !before.living.isEmpty else { return [] }
        try await Task.sleep(for: .seconds(3))
        return try await replicas.roll().entries.filter { !before.entries.contains($0) }.map(\.replica.address)
    }

    /// Makes a store fit to be signed on that is as it was at an earlier time. Throws where its audit log does not verify.
    ///
    /// No nonce from before is accepted afterwards: the store does not know which of them were used since.
    func takeUp(_ log: AuditLog, _ configuration: ServiceConfiguration) async throws -> StoreExamination {
        let found = try await StoreExamination(self, log)
        guard found.verdict.isIntact else { throw StoreError(.damaged, found.verdict.faults.joined(separator: "; ")) }
        try await secrets.remove(named: NonceDesk.secretName)
        try await clock.accept(found.at)
        try await log.record(.restoreStore, by: .commandLine, before: found.latest?.iso8601, after: found.at.iso8601)
        await seal(configuration)
        return found
    }
}

extension ServiceConfiguration {
    /// The same for the configured store, which no service may work on.
    func takeUpStore() async throws -> StoreExamination {
        let lock = try lockStore(isNeeded: true)
        defer { lock?.release() }
        let store = try openSigningStore(onWait: StandardError.note)
        let living = try await store.livingReplicas()
        guard living.isEmpty else { throw StoreError(.unsuitable, "stop the replicas first: \(living.joined(separator: ", "))") }
        let log = AuditLog(store: store.audit, keys: AuditKeyFolder(directory: keys.directory), system: .live)
        let found = try await store.takeUp(log, self)
        try store.file.close()
        return found
    }
}
