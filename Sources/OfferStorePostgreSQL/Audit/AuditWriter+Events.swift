import EligibilityRules
package import OfferStore
import OfferStoreSQL

extension AuditWriter {
    /// Adds events to the current transaction.
    ///
    /// Their actors were checked before.
    package func insert(_ events: [AuditEvent], _ transaction: Transaction) throws {
        guard !events.isEmpty else { return }
        var rows: [(id: Int64, chain: Int64, link: [UInt8])] = []
        for event in events {
            let id = try nextID(.events, at: event.at, transaction)
            row.encode(event, id: id, identity.keyed)
            let (chain, link) = link(.events, id: id)
            rows.append((id, chain, link.bytes))
        }
        try transaction.enqueue(
            """
            INSERT INTO audit_event (id, at, actor, action, bundle_id, subject, before, after, reason, request_id, customer_id,
                transaction_id, address, chain, link)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            """, .numbers(rows.map(\.id)), .numbers(events.map(\.at.milliseconds)), .texts(events.map(\.actor)),
            .texts(events.map(\.action)), .texts(events.map { $0.partition?.name }), .texts(events.map(\.object.id)),
            .texts(events.map(\.object.before)), .texts(events.map(\.object.after)), .texts(events.map(\.reason)),
            .texts(events.map(\.requestID)), .texts(events.map(\.personal.customerID)),
            .texts(events.map(\.personal.transactionID)),
            .texts(events.map(\.personal.address)), .numbers(rows.map(\.chain)), .blobs(rows.map(\.link)))
    }
}

extension AuditWriter {
    /// Erases the personal data of a row, and stores their digest instead. Returns false if retention has removed the row.
    func erase(row id: Int64, of table: AuditTable, _ transaction: Transaction) throws -> Bool {
        var (digest, isThere): ([UInt8]?, Bool) = (nil, false)
        let source = PostgreSQLAuditSource(transaction, identity)
        try source.forEachRow(of: table, id...id, limit: 1) { _, _, _, row in (digest, isThere) = (row?.personalDigest, true) }
        guard isThere else { return false }
        let changes = table.personalColumns.map { "\($0) = NULL" } + ["personal_digest = coalesce(personal_digest, $2)"]
        try transaction.enqueue(
            "UPDATE \(table.rawValue) SET \(changes.joined(separator: ", ")) WHERE id = $1", .number(id), .bytes(digest))
        guard let list = table.offerList else { return true }
        let text = try transaction.run("SELECT \(list.name) FROM \(table.rawValue) WHERE id = $1", .number(id)).first { row in
            row.withBytes(0) { AuditRowEncoder.publicPart(of: $0, publicFields: list.publicFields) }
        }
        try transaction.enqueue(
            "UPDATE \(table.rawValue) SET \(list.name) = $2 WHERE id = $1", .number(id),
            .text(text.map { String(decoding: $0, as: UTF8.self) }))
        return true
    }
}
