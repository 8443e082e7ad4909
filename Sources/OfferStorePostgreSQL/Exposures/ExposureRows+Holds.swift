import EligibilityRules
import OfferStore
import OfferStoreSQL

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
