package import OfferStore
import Synchronization

/// Segments that are forgotten with the process.
package final class MemorySegmentStore: SegmentStore {
    private let records = Mutex<[[String]: SegmentRecord]>([:])
    private let audit: MemoryAudit

    package init(_ audit: MemoryAudit = MemoryAudit()) { self.audit = audit }

    package func segments(of bundleID: String) async throws(StoreError) -> [SegmentRecord] {
        records.withLock { $0.values.filter { $0.bundleID == bundleID } }.sorted { $0.id < $1.id }
    }

    package func write(_ record: SegmentRecord, audit events: [AuditEvent]) async throws(StoreError) -> SegmentOutcome {
        replace(record.id, record.bundleID, version: record.version - 1, by: record, events)
    }

    package func removeSegment(
        id: String,
        bundleID: String,
        version: Int64,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> SegmentOutcome {
        replace(id, bundleID, version: version, by: nil, events)
    }

    private func replace(
        _ id: String,
        _ bundleID: String,
        version: Int64,
        by record: SegmentRecord?,
        _ events: [AuditEvent]
    ) -> SegmentOutcome {
        records.withLock { records in
            let now = records[[bundleID, id]]
            guard (now?.version ?? 0) == version else { return .changedMeanwhile(now) }
            records[[bundleID, id]] = record
            audit.append(events.telling(now, record, audit.identity.functions))
            return .written
        }
    }
}
