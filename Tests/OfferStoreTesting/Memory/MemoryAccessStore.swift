package import EligibilityRules
package import OfferStore
import Synchronization

/// Access keys that are forgotten with the process.
package final class MemoryAccessStore: AccessStore, ChangeFeed {
    private let state = Mutex<(records: [AccessRecord], revision: Int64)>(([], 0))
    private let uses = Mutex<[String: Instant]>([:])

    private let audit: MemoryAudit

    /// An empty one.
    package init(_ audit: MemoryAudit = MemoryAudit()) { self.audit = audit }

    package func accessRecords() async throws(StoreError) -> [AccessRecord] {
        let uses = uses.withLock { $0 }
        let records = state.withLock { $0.records.sorted { ($0.lifetime.createdAt, $0.id) < ($1.lifetime.createdAt, $1.id) } }
        return AccessComparison(
            records.map { $0.changed(revokedAt: $0.lifetime.revokedAt, lastUsedAt: uses[$0.id]) },
            audit.recorded(AccessComparison.actions)
        ).records
    }

    /// Ids of those that are revoked.
    var revoked: Set<String> {
        state.withLock { state in Set(state.records.filter { $0.lifetime.revokedAt != nil }.map(\.id)) }
    }

    package func noteUse(_ instants: [String: Instant]) async throws(StoreError) {
        uses.withLock { $0.merge(instants, uniquingKeysWith: max) }
    }

    package func add(_ record: AccessRecord, audit events: [AuditEvent]) async throws(StoreError) {
        let isNew = state.withLock { state in
            guard !state.records.contains(where: { $0.id == record.id }) else { return false }
            state.records.append(record)
            audit.append(events)
            state.revision += 1
            return true
        }
        guard isNew else { throw StoreError(.unavailable, "there is an access key of this id") }
    }

    package func revokeAccess(id: String, at instant: Instant, audit events: [AuditEvent]) async throws(StoreError) -> Bool {
        state.withLock { state in
            guard let index = state.records.firstIndex(where: { $0.id == id }) else { return false }
            audit.append(events)
            let record = state.records[index]
            state.records[index] = record.changed(revokedAt: record.lifetime.revokedAt ?? instant, lastUsedAt: nil)
            state.revision += 1
            return true
        }
    }

    package func revisions() async throws(StoreError) -> [ChangeTopic: Int64] {
        [.access: state.withLock(\.revision), .keys: 0, .campaigns: 0]
    }
}

extension AccessRecord {
    fileprivate func changed(revokedAt: Instant?, lastUsedAt: Instant?) -> AccessRecord {
        AccessRecord(
            id: id, secretDigest: secretDigest, role: role, apps: apps, note: note,
            lifetime: AccessLifetime(
                createdAt: lifetime.createdAt, createdBy: lifetime.createdBy, expiresAt: lifetime.expiresAt, revokedAt: revokedAt),
            timeZone: timeZone, lastUsedAt: lastUsedAt)
    }
}
