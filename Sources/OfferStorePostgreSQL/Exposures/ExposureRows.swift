import EligibilityRules
import FoundationEssentials
import OfferStore
import OfferStoreSQL

/// The exposures and holds that a batch of the ledger reads and writes.
enum ExposureRows {
    /// Inserts one row for each exposure, in order.
    static func enqueue(_ exposures: [Exposure], arms: ExposureNumbers, _ transaction: Transaction) throws {
        let rehearsals = exposures.filter(\.isRehearsal)
        if !rehearsals.isEmpty { transaction.enqueue(insertion(ofRehearsals: rehearsals)) }
        let others = exposures.filter { !$0.isRehearsal }
        guard !others.isEmpty else { return }
        let numbers = try arms.numbers(of: Set(others.map(\.arm)), transaction)
        try transaction.enqueue(
            """
            INSERT INTO exposure (arm, at, unit, caller, storefront, app_version, nonce)
            SELECT arm, at, unit, caller, storefront, app_version, nonce
            FROM unnest($1, $2, $3, $4, $5, $6, $7) WITH ORDINALITY
                AS new (arm, at, unit, caller, storefront, app_version, nonce, place)
            ORDER BY place
            """, .numbers(others.map { numbers[$0.arm]! }), .numbers(others.map(\.at.milliseconds)),
            .texts(others.map(\.unit)),
            .texts(others.map(\.source.caller)), .texts(others.map(\.source.storefront)),
            .texts(others.map(\.source.appVersion)),
            .blobs(others.map { $0.nonce?.bytes }))
    }

    private static func insertion(ofRehearsals rehearsals: [Exposure]) -> SQLStatement {
        SQLStatement(
            """
            INSERT INTO rehearsal (bundle_id, campaign_id, revision, variant, kind, unit, at, nonce)
            SELECT bundle_id, campaign_id, revision, variant, kind, unit, at, nonce
            FROM unnest($1, $2, $3, $4, $5, $6, $7, $8) WITH ORDINALITY
                AS new (bundle_id, campaign_id, revision, variant, kind, unit, at, nonce, place)
            ORDER BY place
            """,
            [
                .texts(rehearsals.map(\.arm.partition.name)), .texts(rehearsals.map(\.arm.campaign)),
                .numbers(rehearsals.map { Int64($0.arm.revision) }), .texts(rehearsals.map { $0.arm.variant ?? "" }),
                .texts(rehearsals.map(\.arm.unitKind.rawValue)), .texts(rehearsals.map(\.unit)),
                .numbers(rehearsals.map(\.at.milliseconds)), .blobs(rehearsals.map { $0.nonce?.bytes }),
            ])
    }
}

extension ExposureRows {
    /// Queries the campaigns that hold units. Locks their rows, in a fixed order, until the transaction ends.
    static func lookStatement(_ keys: [HoldKey]) -> SQLStatement {
        SQLStatement(
            """
            SELECT hold.bundle_id, hold.unit, hold.unit_kind, hold.exclusion_group, campaign_id
            FROM unnest($1, $2, $3, $4) AS key (bundle_id, unit, unit_kind, exclusion_group)
            JOIN exclusion_hold AS hold ON hold.bundle_id = key.bundle_id AND hold.unit = key.unit
                AND hold.unit_kind = key.unit_kind AND hold.exclusion_group = key.exclusion_group
            ORDER BY 1, 2, 3, 4 FOR UPDATE OF hold
            """, values(keys))
    }

    /// Reads the result of `lookStatement`.
    static func holders(_ rows: Rows) -> [HoldKey: String] {
        var holders: [HoldKey: String] = [:]
        rows.forEach { row in
            // Only queried kinds appear.
            let kind = BucketingUnit(rawValue: row.text(2))!
            let key = HoldKey(partition: AppPartition(name: row.text(0)), group: row.text(3), unitKind: kind, unit: row.text(1))
            holders[key] = row.text(4)
        }
        return holders
    }

    /// Makes campaigns hold units. If another process took one of them meanwhile, the transaction fails and is retried.
    ///
    /// - Parameter known: the holders that the query returned.
    static func enqueue(holders: [HoldKey: String], known: [HoldKey: String], _ transaction: Transaction) {
        let new = holders.filter { known[$0.key] == nil }
        if !new.isEmpty {
            transaction.enqueue(
                SQLStatement(
                    """
                    INSERT INTO exclusion_hold (bundle_id, unit, unit_kind, exclusion_group, campaign_id)
                    SELECT * FROM unnest($1, $2, $3, $4, $5) ORDER BY 1, 2, 3, 4
                    """, values(Array(new.keys)) + [.texts(Array(new.values))]))
        }
        let changed = holders.filter { known[$0.key] != nil }
        guard !changed.isEmpty else { return }
        transaction.enqueue(
            SQLStatement(
                """
                UPDATE exclusion_hold AS hold SET campaign_id = key.campaign_id
                FROM unnest($1, $2, $3, $4, $5) AS key (bundle_id, unit, unit_kind, exclusion_group, campaign_id)
                WHERE hold.bundle_id = key.bundle_id AND hold.unit = key.unit AND hold.unit_kind = key.unit_kind
                    AND hold.exclusion_group = key.exclusion_group
                """, values(Array(changed.keys)) + [.texts(Array(changed.values))]))
    }

    private static func values(_ keys: [HoldKey]) -> [SQLValue] {
        [
            .texts(keys.map(\.partition.name)), .texts(keys.map(\.unit)), .texts(keys.map(\.unitKind.rawValue)),
            .texts(keys.map(\.group)),
        ]
    }
}
