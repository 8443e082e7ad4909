public import EligibilityRules

/// Who may call.
public protocol AccessStore: Sendable {
    /// Every key, revoked and expired ones included, oldest first.
    func accessRecords() async throws(StoreError) -> [AccessRecord]

    /// Adds a key.
    func add(_ record: AccessRecord) async throws(StoreError)

    /// Revokes a key. False if there is no such key; revoking twice keeps the first instant.
    func revokeAccess(id: String, at instant: Instant) async throws(StoreError) -> Bool
}
