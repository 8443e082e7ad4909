package import EligibilityRules
package import OfferStore

/// The store of access keys, written once for all databases.
package struct SQLAccessStore<Store: SQLStore>: AccessStore {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// All keys, the oldest first, compared with their events in one snapshot.
    package func accessRecords() async throws(StoreError) -> [AccessRecord] {
        try await store.readUrgently("read the access keys") { [identity = store.auditIdentity] in
            try AccessComparison.all(identity, $0).records
        }
    }

    package func add(_ record: AccessRecord, audit events: [AuditEvent]) async throws(StoreError) {
        try await store.writeAudited("add an access key", .serializable) { transaction, audit in
            let added = try transaction.run(
                """
                INSERT INTO access (id, secret_digest, role, apps, note, created_at, expires_at, revoked_at, created_by, time_zone)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING
                """, .text(record.id), .bytes(record.secretDigest), .text(record.role), .text(record.apps?.lines),
                .text(record.note), .instant(record.lifetime.createdAt), .instant(record.lifetime.expiresAt),
                .instant(record.lifetime.revokedAt), .text(record.lifetime.createdBy), .text(record.timeZone))
            // The statement ignores an id that exists. If it failed instead, the failure would look like a conflict with another
            // process, and the transaction would be retried.
            guard added.changes > 0 else { throw StoreError(.unavailable, "there is an access key of this id") }
            try audit.record(events, transaction)
        }
    }

    package func revokeAccess(id: String, at instant: Instant, audit events: [AuditEvent]) async throws(StoreError) -> Bool {
        try await store.writeAudited("revoke an access key", .serializable) { transaction, audit in
            let revoked = try transaction.run(
                "UPDATE access SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2", .instant(instant), .text(id))
            guard revoked.changes > 0 else { return false }
            try audit.record(events, transaction)
            return true
        }
    }

    /// Writes to a separate table without triggers, so that processes do not reload keys.
    ///
    /// Writes in the order of ids, so that processes do not deadlock.
    package func noteUse(_ instants: [String: Instant]) async throws(StoreError) {
        try await store.write("note the use of access keys", .latest) { transaction in
            for (id, instant) in instants.sorted(by: { $0.key < $1.key }) {
                try transaction.enqueue(
                    """
                    INSERT INTO access_use (id, used_at) VALUES ($1, $2)
                    ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at WHERE excluded.used_at > access_use.used_at
                    """, .text(id), .instant(instant))
            }
        }
    }
}

extension AccessComparison {
    /// All access keys, the oldest first, compared with their events.
    package static func all(_ identity: AuditIdentity, _ transaction: some SQLTransaction) throws -> AccessComparison {
        let records = try transaction.run(
            """
            SELECT id, secret_digest, role, apps, note, created_at, expires_at, revoked_at, created_by, time_zone, used_at
            FROM access LEFT JOIN access_use USING (id) ORDER BY created_at, id
            """
        ).map { AccessRecord($0) }
        return AccessComparison(records, try RecordedEvent.all(actions, identity, transaction))
    }
}

extension AccessRecord {
    fileprivate init(_ row: some SQLRow) {
        self.init(
            id: row.text(0), secretDigest: row.bytes(1), role: row.text(2), apps: row.optionalText(3).map(Array.init(lines:)),
            note: row.text(4),
            lifetime: AccessLifetime(
                createdAt: row.instant(5), createdBy: row.optionalText(8), expiresAt: row.optionalInstant(6),
                revokedAt: row.optionalInstant(7)), timeZone: row.optionalText(9), lastUsedAt: row.optionalInstant(10))
    }
}
