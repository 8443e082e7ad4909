import EligibilityRules
import FoundationEssentials
import GRDB
public import OfferStore

/// Segments in SQLite.
public struct SQLiteSegmentStore: SegmentStore {
    private let store: SQLiteStore

    /// Uses an open store.
    public init(store: SQLiteStore) { self.store = store }

    /// Uses the primary key.
    public func segments(of bundleID: String) async throws(StoreError) -> [SegmentRecord] {
        try await store.scan("list the segments") { database in
            try Row.fetchAll(database, sql: "SELECT * FROM segment WHERE bundle_id = ? ORDER BY id", arguments: [bundleID])
                .map(SegmentRecord.init)
        }
    }

    /// Compares the version and writes in one transaction.
    public func write(_ record: SegmentRecord, audit events: [AuditEvent]) async throws(StoreError) -> SegmentOutcome {
        try await replace(record.id, record.bundleID, version: record.version - 1, by: record, events) { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    record.bundleID, record.id, record.version, Data(record.document), record.changed.at.milliseconds,
                    record.changed.by, record.changed.reason,
                ])
        }
    }

    /// Compares the version and removes in one transaction.
    public func removeSegment(
        id: String,
        bundleID: String,
        version: Int64,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> SegmentOutcome {
        try await replace(id, bundleID, version: version, by: nil, events) { database in
            try database.execute(sql: "DELETE FROM segment WHERE bundle_id = ? AND id = ?", arguments: [bundleID, id])
        }
    }

    private func replace(
        _ id: String,
        _ bundleID: String,
        version: Int64,
        by record: SegmentRecord?,
        _ events: [AuditEvent],
        _ change: @escaping @Sendable (Database) throws -> Void
    ) async throws(StoreError) -> SegmentOutcome {
        try await store.write("write a segment") { [audit = store.audit!] database in
            let sql = "SELECT * FROM segment WHERE bundle_id = ? AND id = ?"
            let now = try Row.fetchOne(database, sql: sql, arguments: [bundleID, id]).map(SegmentRecord.init)
            guard (now?.version ?? 0) == version else { return .changedMeanwhile(now) }
            try change(database)
            try audit.record(events.telling(now, record, audit.identity.functions), database)
            return .written
        }
    }
}

extension SegmentRecord {
    init(row: Row) {
        self.init(
            id: row["id"], bundleID: row["bundle_id"], version: row["version"], document: Array(row["document"] as Data),
            changed: CampaignAct("changed", row))
    }
}
