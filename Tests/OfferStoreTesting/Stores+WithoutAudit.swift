package import EligibilityRules
package import OfferStore

// For tests of something else than the audit log: the events are those that belong to what is stored.
extension AccessStore {
    package func add(_ record: AccessRecord) async throws(StoreError) {
        var events = [record.event("access.create", at: record.lifetime.createdAt, after: record.creation)]
        if let end = record.lifetime.revokedAt { events.append(record.event("access.revoke", at: end, after: "revoked")) }
        try await add(record, audit: events)
    }

    package func revokeAccess(id: String, at instant: Instant) async throws(StoreError) -> Bool {
        let event = AuditEvent(
            at: instant, actor: "command-line", action: "access.revoke", object: AuditObject(id, after: "revoked"))
        return try await revokeAccess(id: id, at: instant, audit: [event])
    }
}

extension AccessRecord {
    fileprivate func event(_ action: String, at instant: Instant, after: String) -> AuditEvent {
        AuditEvent(
            at: instant, actor: lifetime.createdBy ?? "command-line", action: action, object: AuditObject(id, after: after))
    }
}

extension KeyStore {
    package func add(_ decisions: [KeyDecision], after last: Int) async throws(StoreError) -> Bool {
        let events = decisions.enumerated().map { index, decision in
            AuditEvent(
                at: decision.decidedAt, actor: decision.decidedBy, action: "key.activate",
                partition: AppPartition(bundleID: decision.bundleID), object: decision.object(number: last + index + 1),
                reason: decision.reason)
        }
        return try await add(decisions, after: last, audit: events)
    }

    package func add(_ proposal: KeyProposal) async throws(StoreError) {
        let event = AuditEvent(
            at: proposal.proposedAt, actor: proposal.proposedBy, action: "key.propose",
            object: AuditObject(proposal.keyID, after: proposal.auditText(.testing)))
        try await add(proposal, audit: [event])
    }

    package func endProposal(id: String) async throws(StoreError) -> Bool { try await endProposal(id: id, audit: []) }
}

extension EventStore {
    @discardableResult
    package func setDisabled(_ endpoint: String, at instant: Instant?) async throws(StoreError) -> Bool {
        try await setDisabled(endpoint, at: instant, audit: [])
    }
}

extension CampaignStore {
    package func write(
        _ record: CampaignRecord,
        audit events: [AuditEvent] = []
    ) async throws(StoreError) -> WriteOutcome<CampaignRecord> {
        try await write(record, activity: [], audit: events)
    }
}
