import EligibilityRules
import GRDB
import OfferStore

extension AuditWriter {
    /// Adds events to the current transaction. Throws `actorRevoked` if an access key that acts was revoked meanwhile: a process that
    /// was stopped for a while learns of it too late.
    func record(_ events: [AuditEvent], _ database: Database) throws {
        for actor in Set(events.filter { !$0.isOfOwnEnd }.map(\.actor)) {
            let sql = "SELECT 1 FROM access WHERE id = ? AND revoked_at IS NOT NULL"
            guard try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [actor]) == nil else {
                throw StoreError(actorRevoked: actor)
            }
        }
        try insert(events, database)
    }

    /// Adds events to the current transaction, of actors that were looked at.
    func insert(_ events: [AuditEvent], _ database: Database) throws {
        for event in events {
            let id = try nextID(.events, database)
            row.encode(event, id: id, identity.keyed)
            let (chain, link) = try link(.events, id: id, at: event.at, database)
            try database.cachedStatement(
                sql: """
                    INSERT INTO audit_event (id, at, actor, action, bundle_id, subject, before, after, reason, request_id, customer_id,
                    transaction_id, address, chain, link) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                id, event.at.milliseconds, event.actor, event.action, event.partition?.name, event.object.id, event.object.before,
                event.object.after,
                event.reason, event.requestID, event.personal.customerID, event.personal.transactionID, event.personal.address,
                chain, link.bytes.data,
            ])
        }
    }
}
