public import EligibilityRules

/// The access keys of callers.
public protocol AccessStore: Sendable {
    /// Every key, revoked and expired ones included, oldest first, with what differs from its audit events.
    func accessRecords() async throws(StoreError) -> [AccessRecord]

    /// Adds a key, and records the events in the audit log.
    func add(_ record: AccessRecord, audit events: [AuditEvent]) async throws(StoreError)

    /// Revokes a key, and records the events with it. Returns false, and records nothing, if there is no such key.
    ///
    /// A second revocation keeps the first instant.
    func revokeAccess(id: String, at instant: Instant, audit events: [AuditEvent]) async throws(StoreError) -> Bool

    /// Notes when keys were last used, by id. An instant earlier than the stored one changes nothing. The keys do not change.
    func noteUse(_ instants: [String: Instant]) async throws(StoreError)
}
