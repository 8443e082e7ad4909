import EligibilityRules
import OfferStore
import OfferStoreSQL
import Synchronization

/// A cache of the arms' numbers, kept between transactions. A durable number never changes.
final class ExposureNumbers: Sendable {
    private let known = Mutex<[ExposureArm: Int64]>([:])

    /// The numbers of arms, assigned if needed. Needs one round trip for all unknown arms.
    func numbers(of arms: Set<ExposureArm>, _ transaction: Transaction) throws -> [ExposureArm: Int64] {
        let known = known.withLock { $0 }
        let unknown = arms.filter { known[$0] == nil }
        guard !unknown.isEmpty else { return known }
        let found = try Self.make(Array(unknown), transaction)
        transaction.afterCommit { [self] in self.known.withLock { $0.merge(found) { first, _ in first } } }
        return known.merging(found) { first, _ in first }
    }

    /// The insertion waits for another process that inserts the same arm. The query after it sees that row.
    private static func make(_ arms: [ExposureArm], _ transaction: Transaction) throws -> [ExposureArm: Int64] {
        let values: [SQLValue] = [
            .texts(arms.map(\.partition.name)), .texts(arms.map(\.campaign)), .numbers(arms.map { Int64($0.revision) }),
            .texts(arms.map(\.variant)), .texts(arms.map(\.unitKind.rawValue)),
        ]
        let rows = try transaction.run([
            SQLStatement(
                """
                INSERT INTO exposure_arm (bundle_id, campaign_id, revision, variant, unit_kind)
                SELECT * FROM unnest($1, $2, $3, $4, $5) ORDER BY 1, 2, 3, 4, 5 ON CONFLICT DO NOTHING
                """, values),
            SQLStatement(
                """
                SELECT \(ExposureArm.columns) FROM exposure_arm
                JOIN unnest($1, $2, $3, $4, $5) AS key (app, campaign, version, arm, kind) ON bundle_id = app
                    AND campaign_id = campaign AND revision = version AND variant IS NOT DISTINCT FROM arm AND unit_kind = kind
                """, values),
        ]).last!
        return Dictionary(try ExposureArm.all(rows).map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
