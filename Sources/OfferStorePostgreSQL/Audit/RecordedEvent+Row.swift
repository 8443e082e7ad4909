import OfferStore

extension RecordedEvent {
    // As literals: a prepared statement uses a partial index only for a condition that it knows.
    private static func condition(_ actions: [String]) -> String {
        "FROM audit_event WHERE action IN (\(actions.map { "'\($0)'" }.joined(separator: ", ")))"
    }

    /// Selects the events of some actions, each with the link of the row before it in its chain.
    ///
    /// - Parameter actions: those of a comparison, for each of which there is an index.
    private static func selection(_ actions: [String]) -> String {
        """
        SELECT chain, personal_digest, (
            SELECT link FROM audit_event AS earlier WHERE earlier.chain = audit_event.chain AND earlier.id < audit_event.id
            ORDER BY earlier.chain DESC, earlier.id DESC LIMIT 1
        ), \(AuditTable.events.eventColumns)
        \(condition(actions))
        """
    }

    private static func chains(_ actions: [String]) -> Statement {
        Statement("SELECT \(AuditChain.columns) FROM audit_chain WHERE number IN (SELECT chain \(condition(actions)))")
    }

    /// Selects the events of some actions, the oldest first, and their chains.
    fileprivate static func statements(_ actions: [String]) -> [Statement] {
        [Statement("\(selection(actions)) ORDER BY at, id"), chains(actions)]
    }

    /// Calls `body` with the events of some actions, in the order of ids, some thousand at a time.
    static func eachRecorded(
        _ actions: [String],
        _ identity: AuditIdentity,
        _ transaction: Transaction,
        _ body: (RecordedEvent) -> Void
    ) throws {
        let page: Int64 = 5000
        let chains = try known(transaction.run([chains(actions)]).first!)
        var (last, count): (Int64, Int64) = (.min, page)
        while count == page {
            let rows = try transaction.run(
                "\(selection(actions)) AND id > $1 ORDER BY id LIMIT $2", .number(last), .number(page))
            count = Int64(rows.count)
            rows.forEach { row in
                let entry = AuditEntry(.events, row, from: 3)
                last = entry.id
                body(RecordedEvent(entry, row, chains, identity))
            }
        }
    }

    private static func known(_ rows: Rows) throws -> [Int64: AuditChain] {
        Dictionary(uniqueKeysWithValues: try rows.map { try AuditChain($0) }.map { ($0.number, $0) })
    }

    /// - Parameter row: of the selection.
    private init(_ entry: AuditEntry, _ row: Row, _ chains: [Int64: AuditChain], _ identity: AuditIdentity) {
        self.init(
            entry, in: chains[row.number(0)], after: row.isNull(2) ? nil : row.bytes(2),
            erased: row.isNull(1) ? nil : row.bytes(1), identity)
    }

    /// - Parameter results: of `statements`.
    fileprivate static func all(_ results: ArraySlice<Rows>, _ identity: AuditIdentity) throws -> [RecordedEvent] {
        let chains = try known(results.last!)
        return results.first!.map { RecordedEvent(AuditEntry(.events, $0, from: 3), $0, chains, identity) }
    }
}

extension KeyDecisions {
    /// All decisions, compared with their events.
    static func all(_ identity: AuditIdentity, _ transaction: Transaction) throws -> KeyDecisions {
        let results = Array(
            try transaction.run(
                [Statement("SELECT id, \(KeyDecision.columns) FROM key_decision ORDER BY id")] + RecordedEvent.statements(actions)
            ))
        return KeyDecisions(
            results[0].map { ($0.number(0), KeyDecision($0, from: 1)) }, try RecordedEvent.all(results[1...], identity))
    }
}

extension AccessComparison {
    /// All access keys, the oldest first, compared with their events.
    static func all(_ identity: AuditIdentity, _ transaction: Transaction) throws -> AccessComparison {
        let results = Array(
            try transaction.run(
                [
                    Statement(
                        "SELECT \(AccessRecord.columns) FROM access LEFT JOIN access_use USING (id) ORDER BY created_at, id")
                ] + RecordedEvent.statements(actions)))
        return AccessComparison(results[0].map(AccessRecord.init), try RecordedEvent.all(results[1...], identity))
    }
}
