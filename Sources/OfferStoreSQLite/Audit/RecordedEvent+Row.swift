import FoundationEssentials
import GRDB
import OfferStore

extension RecordedEvent {
    /// The events of some actions, the oldest first, each compared with the row before it in its chain.
    ///
    /// - Parameter actions: those of a comparison, for each of which there is an index.
    static func all(_ actions: [String], _ identity: AuditIdentity, _ database: Database) throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        try eachRecorded(actions, identity, database) { events.append($0) }
        return events
    }

    /// Calls `body` with each of these events.
    static func eachRecorded(
        _ actions: [String],
        _ identity: AuditIdentity,
        _ database: Database,
        _ body: (RecordedEvent) -> Void
    ) throws {
        // As literals: SQLite uses a partial index only for the condition that it was made with.
        let events = "FROM audit_event WHERE action IN (\(actions.map { "'\($0)'" }.joined(separator: ", ")))"
        let chains = try Row.fetchAll(
            database, sql: "SELECT * FROM audit_chain WHERE number IN (SELECT chain \(events))"
        ).map { try AuditChain(row: $0) }
        let chain = Dictionary(uniqueKeysWithValues: chains.map { ($0.number, $0) })
        let sql = """
            SELECT *, (
                SELECT link FROM audit_event AS earlier WHERE earlier.chain = audit_event.chain AND earlier.id < audit_event.id
                ORDER BY earlier.id DESC LIMIT 1
            ) AS link_before
            \(events) ORDER BY id
            """
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() {
            body(
                RecordedEvent(
                    AuditEntry(.events, row), in: chain[row["chain"]], after: (row["link_before"] as Data?).map { Array($0) },
                    erased: (row["personal_digest"] as Data?).map { Array($0) }, identity))
        }
    }
}

extension KeyDecisions {
    /// All decisions, compared with their events.
    static func all(_ identity: AuditIdentity, _ database: Database) throws -> KeyDecisions {
        let rows = try Row.fetchAll(database, sql: "SELECT * FROM key_decision ORDER BY id")
        return KeyDecisions(
            rows.map { ($0["id"], KeyDecision(row: $0)) }, try RecordedEvent.all(actions, identity, database))
    }
}

extension AccessComparison {
    /// All access keys, the oldest first, compared with their events.
    static func all(_ identity: AuditIdentity, _ database: Database) throws -> AccessComparison {
        let rows = try Row.fetchAll(
            database, sql: "SELECT access.*, used_at FROM access LEFT JOIN access_use USING (id) ORDER BY created_at, id")
        return AccessComparison(rows.map(AccessRecord.init), try RecordedEvent.all(actions, identity, database))
    }
}
