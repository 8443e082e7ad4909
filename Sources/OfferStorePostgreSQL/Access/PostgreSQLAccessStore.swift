public import EligibilityRules
public import OfferStore

/// Access keys in PostgreSQL.
public struct PostgreSQLAccessStore: AccessStore {
    private let store: PostgreSQLStore

    /// Shares the store's sessions with the other stores.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// All keys, the oldest first, compared with their events in one snapshot.
    public func accessRecords() async throws(StoreError) -> [AccessRecord] {
        try await store.readUrgently("read the access keys") { [audit = store.audit!] in
            try AccessComparison.all(audit.identity, $0).records
        }
    }

    /// Adds a key.
    public func add(_ record: AccessRecord, audit events: [AuditEvent]) async throws(StoreError) {
        try await store.writeAudited("add an access key") { transaction, audit in
            let added = try transaction.run(
                """
                INSERT INTO access (id, secret_digest, role, apps, note, created_at, expires_at, revoked_at, created_by, time_zone)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING
                """, .text(record.id), .bytes(record.secretDigest), .text(record.role), .text(record.apps?.lines),
                .text(record.note), .instant(record.lifetime.createdAt), .instant(record.lifetime.expiresAt),
                .instant(record.lifetime.revokedAt),
                .text(record.lifetime.createdBy), .text(record.timeZone))
            // A failed statement would look like a conflict with another process, and be retried.
            guard added.changes > 0 else { throw StoreError(.unavailable, "there is an access key of this id") }
            try audit.record(events, transaction)
        }
    }

    /// Revokes a key. Returns false if there is none with this id.
    public func revokeAccess(id: String, at instant: Instant, audit events: [AuditEvent]) async throws(StoreError) -> Bool {
        try await store.writeAudited("revoke an access key") { transaction, audit in
            let revoked = try transaction.run(
                "UPDATE access SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1", .text(id), .instant(instant))
            guard revoked.changes > 0 else { return false }
            try audit.record(events, transaction)
            return true
        }
    }

    /// Uses a separate table without triggers. Updates in the order of ids, so that processes do not deadlock.
    public func noteUse(_ instants: [String: Instant]) async throws(StoreError) {
        try await store.write("note the use of access keys", .latest) { transaction in
            let uses = instants.sorted { $0.key < $1.key }
            _ = try transaction.run(
                """
                INSERT INTO access_use (id, used_at) SELECT * FROM unnest($1, $2)
                ON CONFLICT (id) DO UPDATE SET used_at = greatest(access_use.used_at, excluded.used_at)
                """, .texts(uses.map(\.key)), .numbers(uses.map(\.value.milliseconds)))
        }
    }
}
