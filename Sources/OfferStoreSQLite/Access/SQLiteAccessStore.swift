public import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore

/// Access keys in SQLite.
public struct SQLiteAccessStore: AccessStore {
    private let store: SQLiteStore

    /// Uses an open store.
    public init(store: SQLiteStore) { self.store = store }

    /// All keys, the oldest first, compared with their events in one snapshot.
    public func accessRecords() async throws(StoreError) -> [AccessRecord] {
        try await store.readUrgently("read the access keys") { [audit = store.audit!] in
            try AccessComparison.all(audit.identity, $0).records
        }
    }

    /// Adds a key.
    public func add(_ record: AccessRecord, audit events: [AuditEvent]) async throws(StoreError) {
        try await store.write("add an access key") { [audit = store.audit!] database in
            try audit.record(events, database)
            try database.execute(
                sql: "INSERT INTO access VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    record.id, Data(record.secretDigest), record.role, record.apps?.lines, record.note,
                    record.lifetime.createdAt.milliseconds, record.lifetime.expiresAt?.milliseconds,
                    record.lifetime.revokedAt?.milliseconds,
                    record.lifetime.createdBy, record.timeZone,
                ]
            )
        }
    }

    /// Revokes a key. Returns false if there is none with this id.
    public func revokeAccess(id: String, at instant: Instant, audit events: [AuditEvent]) async throws(StoreError) -> Bool {
        try await store.write("revoke an access key") { [audit = store.audit!] database in
            try database.execute(
                sql: "UPDATE access SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?",
                arguments: [instant.milliseconds, id]
            )
            guard database.changesCount > 0 else { return false }
            try audit.record(events, database)
            return true
        }
    }

    /// Uses a separate table without triggers, so that processes do not reload keys.
    public func noteUse(_ instants: [String: Instant]) async throws(StoreError) {
        try await store.write("note the use of access keys") { database in
            for (id, instant) in instants {
                try database.execute(
                    sql:
                        "INSERT INTO access_use VALUES (?, ?) ON CONFLICT DO UPDATE SET used_at = max(used_at, excluded.used_at)",
                    arguments: [id, instant.milliseconds])
            }
        }
    }
}
