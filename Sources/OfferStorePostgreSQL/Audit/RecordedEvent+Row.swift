import OfferStore

extension RecordedEvent {
    /// Selects the events of some actions, the oldest first, each with the link of the row before it in its chain, and the chains.
    ///
    /// - Parameter actions: those of `KeyDecisions` or of `AccessComparison`, for each of which there is an index.
    fileprivate static func statements(_ actions: [String]) -> [Statement] {
        // As literals: a prepared statement uses a partial index only for a condition that it knows.
        let events = "FROM audit_event WHERE action IN (\(actions.map { "'\($0)'" }.joined(separator: ", ")))"
        return [
            Statement(
                """
                SELECT chain, personal_digest, (
                    SELECT link FROM audit_event AS earlier WHERE earlier.chain = audit_event.chain AND earlier.id < audit_event.id
                    ORDER BY earlier.chain DESC, earlier.id DESC LIMIT 1
                ), \(AuditTable.events.eventColumns)
                \(events) ORDER BY at, id
                """),
            Statement("SELECT \(AuditChain.columns) FROM audit_chain WHERE number IN (SELECT chain \(events))"),
        ]
    }

    /// - Parameter results: of `statements`.
    fileprivate static func all(_ results: ArraySlice<Rows>, _ identity: AuditIdentity) throws -> [RecordedEvent] {
        let chains = Dictionary(uniqueKeysWithValues: try results.last!.map { try AuditChain($0) }.map { ($0.number, $0) })
        return results.first!.map { row in
            RecordedEvent(
                AuditEntry(.events, row, from: 3), in: chains[row.number(0)], after: row.isNull(2) ? nil : row.bytes(2),
                erased: row.isNull(1) ? nil : row.bytes(1), identity)
        }
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
