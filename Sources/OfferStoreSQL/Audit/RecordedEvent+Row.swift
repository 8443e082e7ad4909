package import OfferStore

extension RecordedEvent {
    private static let page: Int64 = 5000

    /// The events of some actions, the oldest first, each compared with the row before it in its chain.
    ///
    /// - Parameter actions: the actions of one comparison; each comparison has an index on its actions.
    package static func all<Transaction: SQLTransaction>(
        _ actions: [String],
        _ identity: AuditIdentity,
        _ transaction: Transaction
    ) throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        try eachRecorded(actions, identity, transaction) { events.append($0) }
        return Transaction.dialect.hasOneWriter ? events : events.sorted { $0.event.at < $1.event.at }
    }

    /// Calls `body` with each of these events, in the order of ids.
    ///
    /// Only some thousand are in memory at a time.
    package static func eachRecorded<Transaction: SQLTransaction>(
        _ actions: [String],
        _ identity: AuditIdentity,
        _ transaction: Transaction,
        _ body: (RecordedEvent) -> Void
    ) throws {
        // The actions are literals, because a database uses a partial index only for the very condition that it was made with.
        let events = "FROM audit_event WHERE action IN (\(actions.map { "'\($0)'" }.joined(separator: ", ")))"
        let chains = Dictionary(
            uniqueKeysWithValues: try transaction.run(
                "SELECT \(AuditChain.columns) FROM audit_chain WHERE number IN (SELECT chain \(events))"
            ).map { try AuditChain($0) }.map { ($0.number, $0) })
        // Both conditions find the row before. With the first one, PostgreSQL would use the primary key, and for the first row of
        // a chain it would read the whole table. With the second one, SQLite would read all later rows of the chain.
        let isEarlier =
            Transaction.dialect.hasOneWriter
            ? "earlier.chain = audit_event.chain AND earlier.id < audit_event.id"
            : "(earlier.chain, earlier.id) < (audit_event.chain, audit_event.id)"
        let sql = """
            SELECT chain, personal_digest, (
                SELECT CASE WHEN earlier.chain = audit_event.chain THEN link END FROM audit_event AS earlier WHERE \(isEarlier)
                ORDER BY earlier.chain DESC, earlier.id DESC LIMIT 1
            ), \(AuditTable.events.eventColumns)
            \(events) AND id > $1 ORDER BY id LIMIT $2
            """
        var (last, count) = (Int64.min, page)
        while count == page {
            let rows = try transaction.run(sql, .number(last), .number(page))
            count = Int64(rows.count)
            rows.forEach { row in
                let entry = AuditEntry(.events, row, from: 3)
                last = entry.id
                body(
                    RecordedEvent(
                        entry, in: chains[row.number(0)], after: row.isNull(2) ? nil : row.bytes(2),
                        erased: row.isNull(1) ? nil : row.bytes(1), identity))
            }
        }
    }
}
