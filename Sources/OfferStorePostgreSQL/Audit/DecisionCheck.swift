import EligibilityRules
import OfferStore

/// Whether access keys and decisions about signing keys are as the events say that were recorded with them, and no event is without its row.
struct DecisionCheck {
    let transaction: Transaction

    /// The first thing that is not; nil for nothing.
    func fault() throws -> AuditFault? {
        transaction.waitLong()
        return try keyFault() ?? accessFault()
    }

    private func keyFault() throws -> AuditFault? {
        let sql = """
            WITH told AS MATERIALIZED (
                SELECT coalesce(subject, '') AS key_id, coalesce(bundle_id, '') AS bundle_id, coalesce(after, '') AS state,
                    at AS decided_at, actor AS decided_by, coalesce(reason, '') AS reason
                FROM audit_event
                WHERE action IN ('key.activate', 'key.rollback', 'key.revoke') OR action = 'key.stage' AND bundle_id IS NOT NULL
            ), kept AS (
                SELECT key_id, bundle_id, state, decided_at,
                    CASE decided_by WHEN 'first-start' THEN 'service' ELSE decided_by END AS decided_by, reason
                FROM key_decision
            )
            SELECT 'no event tells of', * FROM (SELECT * FROM kept EXCEPT SELECT * FROM told) AS untold
            UNION ALL SELECT 'an event tells of, and key_decision has not,', * FROM (SELECT * FROM told EXCEPT SELECT * FROM kept) AS lost
            LIMIT 1
            """
        return try transaction.run(sql).first { row in
            DecisionFault.key(row.text(0), keyID: row.text(1), bundleID: row.text(2), state: row.text(3))
        }
    }

    private func accessFault() throws -> AuditFault? {
        let sql = """
            WITH made AS (SELECT subject, after, actor FROM audit_event WHERE action = 'access.create'),
                ended AS (SELECT DISTINCT subject FROM audit_event WHERE action = 'access.revoke')
            SELECT \(AccessRecord.columns), made.subject, made.after, made.actor, ended.subject IS NOT NULL
            FROM access FULL JOIN made ON made.subject = access.id LEFT JOIN ended ON ended.subject = access.id
            LEFT JOIN access_use USING (id)
            """
        let count = AccessRecord.columnCount
        return try transaction.run(sql).map { row in
            DecisionFault.access(
                row.isNull(0) ? nil : AccessRecord(row), madeID: row.optionalText(count), terms: row.optionalText(count + 1),
                maker: row.optionalText(count + 2), isEnded: row.flag(count + 3))
        }.compactMap(\.self).first
    }
}
