import EligibilityRules
import FoundationEssentials
package import GRDB
package import OfferStore

extension AuditWriter {
    /// Adds events to the current transaction.
    ///
    /// Their actors were checked before.
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

extension AuditWriter {
    /// Erases the personal data of a row, and stores their digest instead.
    func erase(row id: Int64, of table: AuditTable, _ database: Database) throws {
        var digest: Data?
        let source = SQLiteAuditSource(database: database, identity)
        try source.forEachRow(of: table, id...id, limit: 1) { _, _, _, row in
            digest = row?.personalDigest?.data
        }
        let changes = table.personalColumns.map { "\($0) = NULL" } + ["personal_digest = coalesce(personal_digest, ?)"]
        try database.execute(
            sql: "UPDATE \(table.rawValue) SET \(changes.joined(separator: ", ")) WHERE id = ?", arguments: [digest, id])
        guard let list = table.offerList else { return }
        let text = try String.fetchOne(
            database, sql: "SELECT \(list.name) FROM \(table.rawValue) WHERE id = ?", arguments: [id])
        let rest = Array((text ?? "").utf8).withUnsafeBytes {
            AuditRowEncoder.publicPart(of: $0, publicFields: list.publicFields)
        }
        try database.execute(
            sql: "UPDATE \(table.rawValue) SET \(list.name) = ? WHERE id = ?",
            arguments: [String(decoding: rest, as: UTF8.self), id])
    }
}
