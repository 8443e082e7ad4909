package import EligibilityRules
package import Foundation
package import OfferStore
import Synchronization

/// A ledger that forgets: what the contract means, in its simplest form.
package final class MemoryLedger: Ledger, ClockStore, ExposureStore {
    private struct State {
        var entries: [LedgerEntry] = []
        /// The series of their nonces.
        var used: Set<UInt64> = []
        /// What had been served when each entry came, in ms.
        var recorded: [Int64] = []
        var refusals: [LedgerRefusals] = []
        /// What had been served when each refusal came, in ms.
        var refused: [Int64] = []
        var limits = MemoryLimits()
        var exposures: [Exposure] = []
        var rehearsals: [Exposure] = []
        var holders: [HoldKey: String] = [:]
        /// With what had been served when each came, in ms.
        var answers: [LedgerKeys.Answer: (record: IdempotencyRecord, served: Int64)] = [:]
        var served: Int64 = 0
        /// How many entries were deleted.
        var pruned = 0
        var prunedRefusals = 0
        var seenAt: Instant?
        var acceptedAt: Instant?
        var repairedAt: Instant?
        /// How many entries had been there at the last repair.
        var repaired = 0

        /// Those since the last repair.
        var counting: ArraySlice<LedgerEntry> { entries.dropFirst(max(0, repaired - pruned)) }

        mutating func accept(_ instant: Instant) {
            acceptedAt = instant
            if let seenAt, seenAt > instant { self.seenAt = nil }
        }
    }

    private let state = Mutex(State())
    private let audit: MemoryAudit
    /// Say which keys are revoked.
    private let authorities = Mutex<(signers: @Sendable () -> Set<SigningKeyUse>, callers: @Sendable () -> Set<String>)>(
        ({ [] }, { [] }))

    /// An empty one.
    package init(_ audit: MemoryAudit = MemoryAudit()) {
        self.audit = audit
        audit.onErase.withLock { $0.append { [weak self] ids, _, bundleID in self?.erase(ids, bundleID: bundleID) } }
    }

    /// Sets what says which keys are revoked.
    package func use(signers: @escaping @Sendable () -> Set<SigningKeyUse>, callers: @escaping @Sendable () -> Set<String>) {
        authorities.withLock { $0 = (signers, callers) }
    }

    /// Blanks what names one of the ids, and what is kept of it.
    private func erase(_ ids: Set<String>, bundleID: String) {
        state.withLock { state in
            for (index, entry) in state.entries.enumerated() where entry.partition.bundleID == bundleID && entry.names(ids) {
                state.entries[index] = entry.withoutNames
                state.limits.forgetTokens(of: entry.signatures.map(\.nonce))
            }
            for (index, refusals) in state.refusals.enumerated()
            where refusals.partition.bundleID == bundleID && refusals.names(ids) {
                state.refusals[index] = refusals.withoutNames
            }
            let pseudonyms = Dictionary(uniqueKeysWithValues: ids.map { ($0, "erased-\(UUID())") })
            state.holders = state.holders.filter { key, _ in key.partition.bundleID != bundleID || !ids.contains(key.unit) }
            state.rehearsals.removeAll {
                $0.arm.partition.bundleID == bundleID && ids.contains($0.unit)
            }
            state.exposures = state.exposures.map { exposure in
                guard exposure.arm.partition.bundleID == bundleID else { return exposure }
                return pseudonyms[exposure.unit].map(exposure.renamed) ?? exposure
            }
        }
    }

    /// The next rows that make events, as the audit log numbers them.
    func eventRows(after position: Int64, of table: AuditTable) -> [EventRow] {
        state.withLock { state in
            table == .signatures
                ? state.entries.enumerated().map { index, entry in
                    EventRow(position: Int64(state.pruned + index + 1), at: entry.signedAt, .signatures(entry))
                }
                : state.refusals.enumerated().map { index, refusals in
                    EventRow(
                        position: Int64(state.prunedRefusals + index + 1), at: refusals.refusedAt, .refusals(refusals))
                }
        }.filter { $0.position > position }
    }

    /// The oldest first.
    package var entries: [LedgerEntry] { state.withLock(\.entries) }

    package func record(_ submissions: [LedgerSubmission], completion: @escaping Completion) {
        let outcomes = state.withLock { state in
            let batch = LedgerBatch([submissions], state.limits.hash)
            let decision = batch.decide(find(batch.keys, in: &state))
            write(batch, decision, in: &state)
            return decision.outcomes[0]
        }
        completion(.success(outcomes))
    }

    private func find(_ keys: LedgerKeys, in state: inout State) -> LedgerFacts {
        var facts = LedgerFacts()
        let (signers, callers) = authorities.withLock { ($0.signers, $0.callers) }
        (facts.revokedSigners, facts.revokedCallers) = (signers(), callers())
        for key in keys.answers { facts.answers[key] = state.answers[key]?.record }
        facts.holders = state.holders
        facts.series = state.used
        facts.uses = state.limits.uses(under: keys.names, among: state.entries)
        facts.totals = state.limits.totals(keys)
        return facts
    }

    private func write(_ batch: LedgerBatch, _ decision: LedgerDecision, in state: inout State) {
        for (number, submission) in batch.jobs[0].enumerated() where decision.outcomes[0][number] == .recorded {
            if let entry = submission.entry {
                state.entries.append(entry)
                state.used.formUnion(entry.signatures.map(\.nonce.series))
                state.recorded.append(state.served)
                audit.append(entry)
            }
            state.limits.take(submission.reservations, batch.keys.names[batch.firstName(of: number)...])
            state.exposures += submission.exposures.filter { !$0.isRehearsal }
            state.rehearsals += submission.exposures.filter(\.isRehearsal)
            if let refusals = submission.refusals {
                state.refusals.append(refusals)
                state.refused.append(state.served)
                audit.append(refusals)
            }
            audit.append(submission.auditEvents)
            if let record = submission.idempotency { state.answers[LedgerKeys.Answer(record)] = (record, state.served) }
        }
        state.limits.change(decision.totals.mapValues { LimitTotal(outstanding: $0) })
        state.holders.merge(decision.holders) { $1 }
    }

    package func answer(caller: String, key: String, now: Instant) async throws(StoreError) -> IdempotencyRecord? {
        state.withLock { $0.answers[LedgerKeys.Answer(caller: caller, key: key)]?.record }
            .flatMap { $0.createdAt.advanced(by: IdempotencyRecord.lifetime) > now ? $0 : nil }
    }

    package func entry(nonce: UUID) async throws(StoreError) -> LedgerEntry? {
        state.withLock { $0.entries.first { entry in entry.signatures.contains { $0.nonce == nonce } } }
    }

    package func entries(of nonces: [UUID]) async throws(StoreError) -> [LedgerEntry] {
        state.withLock { $0.entries.filter { entry in entry.signatures.contains { nonces.contains($0.nonce) } } }
    }

    package func entries(
        naming ids: Set<String>,
        partition: AppPartition,
        in slice: AuditSlice
    ) async throws(StoreError) -> [LedgerEntry] {
        state.withLock { state in
            state.entries.enumerated().filter { slice.bounds.contains(Int64(state.pruned + $0.offset + 1)) }.map(\.element)
                .filter { $0.partition == partition && $0.names(ids) }
        }
    }

    package func refusals(
        naming ids: Set<String>,
        partition: AppPartition,
        in slice: AuditSlice
    ) async throws(StoreError) -> [LedgerRefusals] {
        state.withLock { state in
            state.refusals.enumerated().filter { slice.bounds.contains(Int64(state.prunedRefusals + $0.offset + 1)) }.map(
                \.element
            )
            .filter { $0.partition == partition && $0.names(ids) }
        }
    }

    package func refusals(
        customerID: String,
        partition: AppPartition,
        limit: Int
    ) async throws(StoreError) -> [LedgerRefusals] {
        state.withLock { state in
            Array(
                state.refusals.reversed().filter { $0.request.customerID == customerID && $0.partition == partition }.prefix(
                    limit))
        }
    }

    package func count(_ redemptions: [CountedRedemption]) async throws(StoreError) {
        state.withLock { state in
            for redemption in redemptions { state.limits.count(redemption) }
        }
    }

    package func exposures(
        of campaign: String,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        exposures(after: id, limit) { $0.arm.campaign == campaign && $0.arm.partition == partition }
    }

    package func exposures(
        ofUnits units: Set<String>,
        partition: AppPartition,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        exposures(after: id, limit) { units.contains($0.unit) && $0.arm.partition == partition }
    }

    package func latestExposures(
        partition: AppPartition,
        before id: Int64?,
        limit: Int
    ) async throws(StoreError) -> [Numbered] {
        let all = exposures(after: 0, .max) { $0.arm.partition == partition }
        return Array(all.filter { $0.id < id ?? .max }.reversed().prefix(limit))
    }

    package func holds(onUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [ExclusionHold] {
        state.withLock(\.holders).filter { $0.key.partition == partition && units.contains($0.key.unit) }
            .map { ExclusionHold(group: $0.group, unitKind: $0.unitKind, unit: $0.unit, campaign: $1) }
            .sorted { ($0.group, $0.unitKind.rawValue, $0.unit) < ($1.group, $1.unitKind.rawValue, $1.unit) }
    }

    package func rehearsals(of campaign: String, bundleID: String) async throws(StoreError) -> [RehearsalCount] {
        let all = state.withLock(\.rehearsals).filter {
            $0.arm.campaign == campaign && $0.arm.partition.bundleID == bundleID
        }
        return Dictionary(grouping: all) { $0.arm.variant! }.sorted { $0.key < $1.key }.map { variant, met in
            RehearsalCount(
                variant: variant, exposed: Set(met.map { "\($0.arm.unitKind) \($0.unit)" }).count,
                signed: met.count { $0.nonce != nil })
        }
    }

    package func rehearsals(ofUnits units: Set<String>, partition: AppPartition) async throws(StoreError) -> [Exposure] {
        state.withLock(\.rehearsals).filter { units.contains($0.unit) && $0.arm.partition == partition }
    }

    private func exposures(after id: Int64, _ limit: Int, where isMeant: (Exposure) -> Bool) -> [Numbered] {
        let all = state.withLock { $0.exposures.enumerated().map { (id: Int64($0.offset + 1), exposure: $0.element) } }
        return Array(all.filter { $0.id > id && isMeant($0.exposure) }.prefix(limit))
    }

    package func pruneReservations(now: Instant, limit: Int) async throws(StoreError) -> Int {
        state.withLock { $0.limits.lapse(at: now, limit: limit) }
    }

    package func latestInstant() async throws(StoreError) -> Instant? { try await clockRecord().latest }

    @discardableResult
    package func served(_ milliseconds: Int64, at instant: Instant) async throws(StoreError) -> Int64 {
        state.withLock { state in
            state.served += milliseconds
            state.seenAt = instant
            return state.served
        }
    }

    package func clockRecord() async throws(StoreError) -> ClockRecord { clockRecordNow }

    /// The same at once.
    package var clockRecordNow: ClockRecord {
        state.withLock { state in
            ClockRecord(
                latest: state.counting.map(\.signedAt).max() ?? state.repairedAt, seenAt: state.seenAt,
                acceptedAt: state.acceptedAt, repairedAt: state.repairedAt)
        }
    }

    package func accept(_ instant: Instant) async throws(StoreError) { state.withLock { $0.accept(instant) } }

    package func repair(at instant: Instant) async throws(StoreError) -> Int {
        state.withLock { state in
            let count = state.counting.suffix(5000).count { $0.signedAt > instant }
            state.accept(instant)
            state.repairedAt = instant
            state.repaired = state.pruned + state.entries.count
            return count
        }
    }

    package func prune(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        state.withLock { state in
            let due = min(limit, zip(state.entries, state.recorded).dropLast().prefix { state.served - $0.1 >= age }.count)
            state.used.subtract(state.entries.prefix(due).flatMap(\.signatures).map(\.nonce.series))
            state.entries.removeFirst(due)
            state.recorded.removeFirst(due)
            state.pruned += due
            audit.remove(.signatures, count: due)
            return due
        }
    }

    package func pruneRefusals(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        state.withLock { state in
            let due = min(limit, state.refused.prefix { state.served - $0 >= age }.count)
            state.refusals.removeFirst(due)
            state.refused.removeFirst(due)
            state.prunedRefusals += due
            audit.remove(.refusals, count: due)
            return due
        }
    }

    package func pruneAnswers(servedSince age: Int64, limit: Int) async throws(StoreError) -> Int {
        state.withLock { state in
            let due = state.answers.filter { state.served - $0.value.served >= age }.prefix(limit)
            for (key, _) in due { state.answers[key] = nil }
            return due.count
        }
    }
}
