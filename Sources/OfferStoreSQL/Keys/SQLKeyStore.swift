package import EligibilityRules
package import OfferStore

/// Decisions about signing keys, and their use in the ledger.
package struct SQLKeyStore<Store: SQLStore>: KeyStore {
    private let store: Store
    private let uses: @Sendable (Instant, Store.Transaction) throws -> [KeyUse]

    /// - Parameter uses: reads the use of keys since an instant, in the way that costs the database's ledger least.
    package init(_ store: Store, uses: @escaping @Sendable (Instant, Store.Transaction) throws -> [KeyUse]) {
        self.store = store
        self.uses = uses
    }

    /// All decisions, compared with their events in one snapshot.
    package func keyDecisions() async throws(StoreError) -> KeyDecisions {
        try await store.readUrgently("read the decisions about signing keys") { [identity = store.auditIdentity] in
            try KeyDecisions.all(identity, $0)
        }
    }

    /// Adds decisions, unless others were added meanwhile. Of two concurrent processes, one retries.
    package func add(
        _ decisions: [KeyDecision],
        after last: Int,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        try await store.writeAudited("record a decision about a signing key", .serializable) { transaction, audit in
            guard try transaction.run("SELECT coalesce(max(id), 0) FROM key_decision").first({ Int($0.number(0)) }) == last
            else { return false }
            for (index, decision) in decisions.enumerated() {
                try transaction.enqueue(
                    """
                    INSERT INTO key_decision (id, key_id, bundle_id, state, decided_at, decided_by, reason, fingerprint)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                    """, .number(Int64(last &+ index &+ 1)), .text(decision.keyID), .text(decision.bundleID),
                    .text(decision.state),
                    .instant(decision.decidedAt), .text(decision.decidedBy), .text(decision.reason), .text(decision.fingerprint))
            }
            try audit.record(events, transaction)
            return true
        }
    }

    package func keyProposals(since instant: Instant) async throws(StoreError) -> [KeyProposal] {
        try await store.readUrgently("read the proposals about signing keys") { transaction in
            try transaction.run(
                "\(KeyProposal.selection) WHERE proposed_at >= $1 ORDER BY proposed_at, id", .instant(instant)
            ).map { KeyProposal($0) }
        }
    }

    package func add(_ proposal: KeyProposal, audit events: [AuditEvent]) async throws(StoreError) {
        try await store.writeAudited("keep a proposal about a signing key", .latest) { transaction, audit in
            try audit.record(events, transaction)
            try transaction.enqueue(
                """
                INSERT INTO key_proposal (id, wish, key_id, bundle_ids, proposed_at, proposed_by, reason)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                """, .text(proposal.id), .text(proposal.requestName), .text(proposal.keyID), .text(proposal.bundleIDs.lines),
                .instant(proposal.proposedAt), .text(proposal.proposedBy), .text(proposal.reason))
        }
    }

    package func endProposal(id: String, audit events: [AuditEvent]) async throws(StoreError) -> Bool {
        try await store.writeAudited("end a proposal about a signing key", .serializable) { transaction, audit in
            guard try transaction.run("DELETE FROM key_proposal WHERE id = $1", .text(id)).changes > 0 else { return false }
            try audit.record(events, transaction)
            return true
        }
    }

    package func keyUse(since instant: Instant) async throws(StoreError) -> [KeyUse] {
        try await store.read("read what the signing keys have signed") { [uses] in try uses(instant, $0) }
    }
}

extension KeyDecisions {
    /// All decisions, compared with their events.
    package static func all(_ identity: AuditIdentity, _ transaction: some SQLTransaction) throws -> KeyDecisions {
        let decisions = try transaction.run(
            "SELECT id, key_id, bundle_id, state, decided_at, decided_by, reason, fingerprint FROM key_decision ORDER BY id"
        ).map { row in
            let decision = KeyDecision(
                keyID: row.text(1), bundleID: row.text(2), state: row.text(3), decidedAt: row.instant(4), decidedBy: row.text(5),
                reason: row.text(6), fingerprint: row.optionalText(7))
            return (row.number(0), decision)
        }
        return KeyDecisions(decisions, try RecordedEvent.all(actions, identity, transaction))
    }
}

extension KeyProposal {
    /// Selects all proposals.
    package static let selection = "SELECT id, wish, key_id, bundle_ids, proposed_at, proposed_by, reason FROM key_proposal"

    /// - Parameter row: a row of the `selection`.
    package init(_ row: some SQLRow) {
        self.init(
            id: row.text(0), requestName: row.text(1), keyID: row.text(2), bundleIDs: Array(lines: row.text(3)),
            proposedAt: row.instant(4), proposedBy: row.text(5), reason: row.text(6))
    }
}
