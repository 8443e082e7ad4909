import EligibilityRules
package import OfferStore

/// The store of segments, written once for all databases.
package struct SQLSegmentStore<Store: SQLStore>: SegmentStore {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Finds rows by the primary key.
    package func segments(of bundleID: String) async throws(StoreError) -> [SegmentRecord] {
        try await store.scan("list the segments") { transaction in
            try transaction.run("\(SegmentRecord.selection) WHERE bundle_id = $1 ORDER BY id", .text(bundleID))
                .map { SegmentRecord($0) }
        }
    }

    /// Compares the version and writes in one transaction.
    package func write(_ record: SegmentRecord, audit events: [AuditEvent]) async throws(StoreError) -> WriteOutcome<
        SegmentRecord
    > {
        try await replace(record.id, record.bundleID, version: record.version - 1, by: record, events) { transaction in
            try transaction.enqueue(
                """
                INSERT INTO segment (bundle_id, id, version, document, changed_at, changed_by, changed_reason)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                ON CONFLICT (bundle_id, id) DO UPDATE SET version = excluded.version, document = excluded.document,
                    changed_at = excluded.changed_at, changed_by = excluded.changed_by, changed_reason = excluded.changed_reason
                """,
                [.text(record.bundleID), .text(record.id), .number(record.version), .bytes(record.document)]
                    + CampaignAct.values(record.changed))
        }
    }

    /// Compares the version and removes in one transaction.
    package func removeSegment(
        id: String,
        bundleID: String,
        version: Int64,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> WriteOutcome<SegmentRecord> {
        try await replace(id, bundleID, version: version, by: nil, events) { transaction in
            try transaction.enqueue("DELETE FROM segment WHERE bundle_id = $1 AND id = $2", [.text(bundleID), .text(id)])
        }
    }

    private func replace(
        _ id: String,
        _ bundleID: String,
        version: Int64,
        by record: SegmentRecord?,
        _ events: [AuditEvent],
        _ change: @escaping @Sendable (Store.Transaction) throws -> Void
    ) async throws(StoreError) -> WriteOutcome<SegmentRecord> {
        try await store.writeAudited("write a segment", .serializable) { transaction, audit in
            let sql = "\(SegmentRecord.selection) WHERE bundle_id = $1 AND id = $2"
            let now = try transaction.run(sql, .text(bundleID), .text(id)).first { SegmentRecord($0) }
            guard (now?.version ?? 0) == version else { return .changedMeanwhile(now) }
            try change(transaction)
            try audit.record(events.telling(now, record, audit.functions), transaction)
            return .written
        }
    }
}

extension SegmentRecord {
    /// Selects all segments.
    package static let selection =
        "SELECT id, bundle_id, version, document, changed_at, changed_by, changed_reason FROM segment"

    /// - Parameter row: a row of the `selection`.
    package init(_ row: some SQLRow) {
        self.init(
            id: row.text(0), bundleID: row.text(1), version: row.number(2), document: row.bytes(3), changed: CampaignAct(row, 4))
    }
}
