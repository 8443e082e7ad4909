import EligibilityRules
public import OfferStore

/// Segments in PostgreSQL.
public struct PostgreSQLSegmentStore: SegmentStore {
    private let store: PostgreSQLStore

    /// Uses an open store.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// Uses the primary key.
    public func segments(of bundleID: String) async throws(StoreError) -> [SegmentRecord] {
        try await store.scan("list the segments") { transaction in
            try transaction.run("\(SegmentRecord.selection) WHERE bundle_id = $1 ORDER BY id", .text(bundleID))
                .map { SegmentRecord($0) }
        }
    }

    /// Compares the version and writes in one transaction.
    public func write(_ record: SegmentRecord, audit events: [AuditEvent]) async throws(StoreError) -> SegmentOutcome {
        let statement = Statement(
            """
            INSERT INTO segment (bundle_id, id, version, document, changed_at, changed_by, changed_reason)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (bundle_id, id) DO UPDATE SET version = excluded.version, document = excluded.document,
                changed_at = excluded.changed_at, changed_by = excluded.changed_by, changed_reason = excluded.changed_reason
            """,
            [.text(record.bundleID), .text(record.id), .number(record.version), .bytes(record.document)]
                + CampaignAct.values(record.changed))
        return try await replace(record.id, record.bundleID, version: record.version - 1, by: record, statement, events)
    }

    /// Compares the version and removes in one transaction.
    public func removeSegment(
        id: String,
        bundleID: String,
        version: Int64,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> SegmentOutcome {
        let statement = Statement("DELETE FROM segment WHERE bundle_id = $1 AND id = $2", [.text(bundleID), .text(id)])
        return try await replace(id, bundleID, version: version, by: nil, statement, events)
    }

    private func replace(
        _ id: String,
        _ bundleID: String,
        version: Int64,
        by record: SegmentRecord?,
        _ statement: Statement,
        _ events: [AuditEvent]
    ) async throws(StoreError) -> SegmentOutcome {
        try await store.writeAudited("write a segment") { transaction, audit in
            let now = try transaction.run(
                "\(SegmentRecord.selection) WHERE bundle_id = $1 AND id = $2", .text(bundleID), .text(id)
            ).first { SegmentRecord($0) }
            guard (now?.version ?? 0) == version else { return .changedMeanwhile(now) }
            transaction.enqueue(statement)
            try audit.record(events.telling(now, record, audit.identity.functions), transaction)
            return .written
        }
    }
}

extension SegmentRecord {
    static let selection = "SELECT id, bundle_id, version, document, changed_at, changed_by, changed_reason FROM segment"

    /// - Parameter row: of the selection.
    init(_ row: Row) {
        self.init(
            id: row.text(0), bundleID: row.text(1), version: row.number(2), document: row.bytes(3),
            changed: CampaignAct(row, 4))
    }
}
