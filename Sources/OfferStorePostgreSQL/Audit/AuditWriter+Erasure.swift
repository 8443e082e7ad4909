import OfferStore
import OfferStoreSQL

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
