import EligibilityRules
import OfferStore

/// Reads the table of exposures in slices, so that no read delays others for long. The only index is the primary key.
struct ExposureScan: Sendable {
    private static let slice: Int64 = 250_000

    private let store: PostgreSQLStore
    private let units: Set<String>?

    /// - Parameter units: the units; nil for all.
    init(_ store: PostgreSQLStore, units: Set<String>?) { (self.store, self.units) = (store, units) }

    /// The exposures of the arms that a statement finds, in the order of the table.
    ///
    /// - Parameter id: returns only exposures after this one.
    func exposures(
        of arms: Statement,
        after id: Int64,
        limit: Int
    ) async throws(StoreError) -> [ExposureStore.Numbered] {
        let (arms, end) = try await store.scan("look for exposures") { transaction in
            let rows = Array(try transaction.run([arms, Statement("SELECT coalesce(max(id), 0) FROM exposure")]))
            return (try rows[0].arms(), rows[1].first { $0.number(0) }!)
        }
        var found: [ExposureStore.Numbered] = []
        var start = id
        while !arms.isEmpty, start < end, found.count < limit {
            let part = start..<min(end, start + Self.slice)
            found += try await store.scan("read exposures") { [limit = limit - found.count] transaction in
                try transaction.run([statement(part, arms, limit: limit)]).first!.map { row in
                    (row.number(0), Exposure(row, arm: arms[row.number(1)]!))
                }
            }
            start = part.upperBound
        }
        return found
    }

    /// - Parameter part: reads after its lower bound, up to and including its upper bound.
    private func statement(_ part: Range<Int64>, _ arms: [Int64: ExposureArm], limit: Int) -> Statement {
        Statement(
            """
            SELECT \(Exposure.columns) FROM exposure WHERE id > $1 AND id <= $2 AND arm = ANY ($3)
                \(units == nil ? "" : "AND unit IN (SELECT unnest($5))") ORDER BY id LIMIT $4
            """,
            [.number(part.lowerBound), .number(part.upperBound), .numbers(Array(arms.keys)), .number(Int64(limit))]
                + (units.map { [.texts(Array($0))] } ?? []))
    }
}
