package import EligibilityRules
package import OfferStore

// For tests of something else than the audit log.
extension AccessStore {
    package func add(_ record: AccessRecord) async throws(StoreError) { try await add(record, audit: []) }

    package func revokeAccess(id: String, at instant: Instant) async throws(StoreError) -> Bool {
        try await revokeAccess(id: id, at: instant, audit: [])
    }
}

extension KeyStore {
    package func add(_ decisions: [KeyDecision], after count: Int) async throws(StoreError) -> Bool {
        try await add(decisions, after: count, audit: [])
    }
}

extension CampaignStore {
    package func write(
        _ record: CampaignRecord,
        audit events: [AuditEvent] = []
    ) async throws(StoreError) -> CampaignOutcome {
        try await write(record, activity: [], audit: events)
    }
}
