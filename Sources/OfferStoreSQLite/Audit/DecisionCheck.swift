import FoundationEssentials
import GRDB
import OfferStore

/// Whether access keys and decisions about signing keys are as the events say that were recorded with them, and no event is without its row.
struct DecisionCheck {
    let database: Database

    /// The first thing that is not; nil for nothing.
    func fault() throws -> AuditFault? { try keyFault() ?? accessFault() }

    private func keyFault() throws -> AuditFault? {
        let sql = """
            WITH told AS MATERIALIZED (
                SELECT coalesce(subject, '') AS key_id, coalesce(bundle_id, '') AS bundle_id, coalesce(after, '') AS state,
                    at AS decided_at, actor AS decided_by, coalesce(reason, '') AS reason
                FROM audit_event
                WHERE action IN ('key.activate', 'key.rollback', 'key.revoke') OR action = 'key.stage' AND bundle_id IS NOT NULL
            ), kept AS (
                SELECT key_id, bundle_id, state, decided_at, iif(decided_by = 'first-start', 'service', decided_by) AS decided_by, reason
                FROM key_decision
            )
            SELECT 'no event tells of', * FROM (SELECT * FROM kept EXCEPT SELECT * FROM told)
            UNION ALL SELECT 'an event tells of, and key_decision has not,', * FROM (SELECT * FROM told EXCEPT SELECT * FROM kept)
            LIMIT 1
            """
        return try Row.fetchOne(database, sql: sql).map { row in
            DecisionFault.key(row[0], keyID: row[1], bundleID: row[2], state: row[3])
        }
    }

    private func accessFault() throws -> AuditFault? {
        let sql = """
            WITH made AS MATERIALIZED (SELECT subject, after, actor FROM audit_event WHERE action = 'access.create'),
                ended AS MATERIALIZED (SELECT DISTINCT subject FROM audit_event WHERE action = 'access.revoke')
            SELECT access.*, NULL AS used_at, made.after AS terms, made.actor AS maker, ended.subject IS NOT NULL AS is_ended, made.subject AS made_id
            FROM access FULL JOIN made ON made.subject = access.id LEFT JOIN ended ON ended.subject = access.id
            """
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() {
            let fault = DecisionFault.access(
                row["id"] as String? == nil ? nil : AccessRecord(row: row), madeID: row["made_id"], terms: row["terms"],
                maker: row["maker"], isEnded: row["is_ended"])
            if let fault { return fault }
        }
        return nil
    }
}
