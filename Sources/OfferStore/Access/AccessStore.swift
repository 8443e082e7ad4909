public import EligibilityRules

/// Who may call.
public protocol AccessStore: Sendable {
    /// Every key, revoked and expired ones included, oldest first.
    func accessRecords() async throws(StoreError) -> [AccessRecord]

    /// Adds a key, and to the audit log what is to be said of it.
    func add(_ record: AccessRecord, audit events: [AuditEvent]) async throws(StoreError)

    /// Revokes a key. False if there is no such key; revoking twice keeps the first instant. If there is, the events are
    /// recorded with it.
    func revokeAccess(id: String, at instant: Instant, audit events: [AuditEvent]) async throws(StoreError) -> Bool

    /// Notes when keys were used last, by id; an earlier instant than is known changes nothing. No change of the keys themselves.
    func noteUse(_ instants: [String: Instant]) async throws(StoreError)
}
