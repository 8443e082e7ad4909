/// The segments of apps. The store does not parse their content.
public protocol SegmentStore: Sendable {
    /// All segments of an app, in the order of ids.
    func segments(of bundleID: String) async throws(StoreError) -> [SegmentRecord]

    /// Creates a segment, or replaces it by its next version, unless another caller has done so first.
    ///
    /// - Parameters:
    ///   - record: replaces the version before its own. Version 1 requires that the app has no segment of this id.
    ///   - events: are recorded in the audit log with it, and with the states before and after.
    func write(_ record: SegmentRecord, audit events: [AuditEvent]) async throws(StoreError) -> WriteOutcome<SegmentRecord>

    /// Removes a segment, unless another caller has changed it since this version.
    ///
    /// - Parameter events: are recorded in the audit log with it, and with the state before.
    func removeSegment(
        id: String,
        bundleID: String,
        version: Int64,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> WriteOutcome<SegmentRecord>
}
