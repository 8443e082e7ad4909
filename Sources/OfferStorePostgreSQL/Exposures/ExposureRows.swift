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
