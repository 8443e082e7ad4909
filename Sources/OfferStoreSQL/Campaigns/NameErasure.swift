package import OfferStore

/// Erases ids from the rows where they name a person: testers, rehearsals and holds.
///
/// No results count these rows.
package struct NameErasure: Sendable {
    private let ids: Set<String>
    private let bundleID: String

    /// - Parameter bundleID: the app, in all of its environments.
    package init(_ ids: Set<String>, bundleID: String) {
        self.ids = ids
        self.bundleID = bundleID
    }

    /// Deletes the rows, and gives each campaign that has one of the ids as a tester its next version.
    ///
    /// Returns the events that record the changes of these campaigns.
    package func run<Transaction: SQLTransaction>(
        _ erasure: AuditEvent,
        _ functions: AuditFunctions,
        _ transaction: Transaction
    ) throws -> [AuditEvent] {
        let (isAny, names) = (Transaction.dialect.isAny, SQLValue.texts(ids.sorted()))
        // The rows are locked where several transactions write at a time, so that no other one changes these campaigns meanwhile.
        let campaigns = try transaction.run(
            """
            SELECT id FROM campaign WHERE bundle_id = $1 AND id IN (
                SELECT campaign_id FROM campaign_tester WHERE bundle_id = $1 AND id \(isAny("$2"))
            ) ORDER BY id \(Transaction.dialect.locking)
            """, .text(bundleID), names
        ).map { $0.text(0) }
        let events = try campaigns.compactMap { id -> AuditEvent? in
            guard let (next, event) = try CampaignRecord.find(id, bundleID, transaction)?.erasing(ids, erasure, functions) else {
                return nil
            }
            try transaction.enqueue(
                "UPDATE campaign SET version = $1, testers_version = $2 WHERE bundle_id = $3 AND id = $4", .number(next.version),
                .number(next.versions.testers), .text(bundleID), .text(id))
            return event
        }
        let removed = try transaction.run(
            "DELETE FROM campaign_tester WHERE bundle_id = $1 AND id \(isAny("$2"))", .text(bundleID), names)
        if removed.changes > 0 { try transaction.noteChange(of: .campaigns) }
        for table in ["rehearsal", "exclusion_hold"] {
            try transaction.enqueue(
                "DELETE FROM \(table) WHERE bundle_id \(isAny("$1")) AND unit \(isAny("$2"))",
                .texts(AppPartition.environments(of: bundleID).map(\.name)), names)
        }
        return events
    }
}
