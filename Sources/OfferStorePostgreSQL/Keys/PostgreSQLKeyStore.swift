public import EligibilityRules
public import OfferStore

/// Decisions about signing keys, and their use in the ledger, in PostgreSQL.
public struct PostgreSQLKeyStore: KeyStore {
    private let store: PostgreSQLStore

    /// Shares the store's sessions with the other stores.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// All decisions, compared with their events in one snapshot.
    public func keyDecisions() async throws(StoreError) -> KeyDecisions {
        try await store.readUrgently("read the decisions about signing keys") { [audit = store.audit!] in
            try KeyDecisions.all(audit.identity, $0)
        }
    }

    /// Adds decisions, unless others were added meanwhile. Of two concurrent processes, one retries.
    public func add(
        _ decisions: [KeyDecision],
        after last: Int,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        try await store.writeAudited("record a decision about a signing key") { transaction, audit in
            guard try transaction.run("SELECT coalesce(max(id), 0) FROM key_decision").first({ Int($0.number(0)) }) == last
            else { return false }
            transaction.enqueue(
                Statement(
                    """
                    INSERT INTO key_decision (id, key_id, bundle_id, state, decided_at, decided_by, reason, fingerprint)
                    SELECT $1 + place, key_id, bundle_id, state, decided_at, decided_by, reason, fingerprint
                    FROM unnest($2, $3, $4, $5, $6, $7, $8) WITH ORDINALITY
                        AS decision (key_id, bundle_id, state, decided_at, decided_by, reason, fingerprint, place)
                    """,
                    [
                        .number(Int64(last)), .texts(decisions.map(\.keyID)), .texts(decisions.map(\.bundleID)),
                        .texts(decisions.map(\.state)), .numbers(decisions.map(\.decidedAt.milliseconds)),
                        .texts(decisions.map(\.decidedBy)), .texts(decisions.map(\.reason)), .texts(decisions.map(\.fingerprint)),
                    ]))
            try audit.record(events, transaction)
            return true
        }
    }

    /// Open proposals, the oldest first.
    public func keyProposals(since instant: Instant) async throws(StoreError) -> [KeyProposal] {
        try await store.readUrgently("read the proposals about signing keys") { transaction in
            let rows = try transaction.run(
                "\(KeyProposal.selection) WHERE proposed_at >= $1 ORDER BY proposed_at, id", .instant(instant))
            return rows.map(KeyProposal.init)
        }
    }

    /// Adds a proposal.
    public func add(_ proposal: KeyProposal, audit events: [AuditEvent]) async throws(StoreError) {
        try await store.writeAudited("keep a proposal about a signing key", .latest) { transaction, audit in
            try audit.record(events, transaction)
            _ = try transaction.run(
                """
                INSERT INTO key_proposal (id, wish, key_id, bundle_ids, proposed_at, proposed_by, reason)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                """, .text(proposal.id), .text(proposal.requestName), .text(proposal.keyID), .text(proposal.bundleIDs.lines),
                .instant(proposal.proposedAt), .text(proposal.proposedBy), .text(proposal.reason))
        }
    }

    /// Deletes a proposal.
    public func endProposal(id: String, audit events: [AuditEvent]) async throws(StoreError) -> Bool {
        try await store.writeAudited("end a proposal about a signing key") { transaction, audit in
            guard try transaction.run("DELETE FROM key_proposal WHERE id = $1", .text(id)).changes > 0 else { return false }
            try audit.record(events, transaction)
            return true
        }
    }

    /// Adds up whole minutes, and the part of the first minute that counts.
    public func keyUse(since instant: Instant) async throws(StoreError) -> [KeyUse] {
        try await store.read("read what the signing keys have signed") { try KeyUseReading.sum(since: instant, $0) }
    }
}

extension KeyProposal {
    static let selection = "SELECT id, wish, key_id, bundle_ids, proposed_at, proposed_by, reason FROM key_proposal"

    /// - Parameter row: of the selection.
    init(_ row: Row) {
        self.init(
            id: row.text(0), requestName: row.text(1), keyID: row.text(2), bundleIDs: Array(lines: row.text(3)),
            proposedAt: row.instant(4), proposedBy: row.text(5), reason: row.text(6))
    }
}
