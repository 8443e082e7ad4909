public import EligibilityRules
import GRDB
public import OfferStore

/// Decisions about signing keys, and their use in the ledger, in SQLite.
public final class SQLiteKeyStore: KeyStore {
    private let store: SQLiteStore
    private let uses = KeyUseBlocks()

    /// Uses an open store.
    public init(store: SQLiteStore) { self.store = store }

    /// All decisions, compared with their events in one snapshot.
    public func keyDecisions() async throws(StoreError) -> KeyDecisions {
        try await store.readUrgently("read the decisions about signing keys") { [audit = store.audit!] in
            try KeyDecisions.all(audit.identity, $0)
        }
    }

    /// Adds decisions, unless others were added meanwhile.
    public func add(
        _ decisions: [KeyDecision],
        after last: Int,
        audit events: [AuditEvent]
    ) async throws(StoreError) -> Bool {
        try await store.write("record a decision about a signing key") { [audit = store.audit!] database in
            guard try Int.fetchOne(database, sql: "SELECT coalesce(max(id), 0) FROM key_decision") == last else { return false }
            for (index, decision) in decisions.enumerated() {
                try database.execute(
                    sql: """
                        INSERT INTO key_decision (id, key_id, bundle_id, state, decided_at, decided_by, reason, fingerprint)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        last &+ index &+ 1, decision.keyID, decision.bundleID, decision.state, decision.decidedAt.milliseconds,
                        decision.decidedBy, decision.reason, decision.fingerprint,
                    ])
            }
            try audit.record(events, database)
            return true
        }
    }

    /// Open proposals, the oldest first.
    public func keyProposals(since instant: Instant) async throws(StoreError) -> [KeyProposal] {
        try await store.readUrgently("read the proposals about signing keys") { database in
            let sql = "SELECT * FROM key_proposal WHERE proposed_at >= ? ORDER BY proposed_at, id"
            return try Row.fetchAll(database, sql: sql, arguments: [instant.milliseconds]).map(KeyProposal.init)
        }
    }

    /// Adds a proposal.
    public func add(_ proposal: KeyProposal, audit events: [AuditEvent]) async throws(StoreError) {
        try await store.write("keep a proposal about a signing key") { [audit = store.audit!] database in
            try audit.record(events, database)
            try database.execute(
                sql: "INSERT INTO key_proposal VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    proposal.id, proposal.requestName, proposal.keyID, proposal.bundleIDs.lines,
                    proposal.proposedAt.milliseconds, proposal.proposedBy, proposal.reason,
                ])
        }
    }

    /// Deletes a proposal.
    public func endProposal(id: String, audit events: [AuditEvent]) async throws(StoreError) -> Bool {
        try await store.write("end a proposal about a signing key") { [audit = store.audit!] database in
            try database.execute(sql: "DELETE FROM key_proposal WHERE id = ?", arguments: [id])
            guard database.changesCount > 0 else { return false }
            try audit.record(events, database)
            return true
        }
    }

    /// Reads only new rows of the ledger, and caches the rest.
    public func keyUse(since instant: Instant) async throws(StoreError) -> [KeyUse] {
        try await store.read("read what the signing keys have signed") { [uses] in try uses.sum(since: instant, in: $0) }
    }
}

extension KeyProposal {
    init(row: Row) {
        self.init(
            id: row["id"], requestName: row["wish"], keyID: row["key_id"],
            bundleIDs: Array(lines: row["bundle_ids"]),
            proposedAt: Instant(milliseconds: row["proposed_at"]), proposedBy: row["proposed_by"], reason: row["reason"])
    }
}
