import EligibilityRules
package import GRDB
package import OfferStore

extension AuditWriter {
    /// Adds events to the current transaction, of actors that were looked at.
    package func insert(_ events: [AuditEvent], _ database: Database) throws {
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
