import EligibilityRules
import OfferStore

extension AuditTable {
    /// The rows of some apps, of a stretch of time, in which one of these ids stands, in the order of time.
    func namingRows(
        _ ids: Set<String>,
        _ partitions: [AppPartition],
        in slice: AuditSlice,
        _ columns: String,
        _ transaction: Transaction
    ) throws -> Rows {
        let time = entryColumns.time
        return try transaction.run(
            """
            SELECT \(columns) FROM \(rawValue) WHERE \(time) >= $1 AND \(time) < $2 AND bundle_id = ANY($3) AND (\(naming))
            ORDER BY \(time), id
            """, .number(slice.bounds.lowerBound), .number(slice.bounds.upperBound), .texts(partitions.map(\.name)),
            .texts(ids.sorted()))
    }

    private var naming: String {
        var conditions = personalColumns.map { "\($0) = ANY($4)" }
        if let list = offerList {
            conditions.append(
                """
                EXISTS (SELECT 1 FROM json_array_elements(\(list.name)::json) AS offer WHERE offer ->> \(list.publicFields) = ANY($4))
                """)
        }
        return conditions.joined(separator: " OR ")
    }
}
