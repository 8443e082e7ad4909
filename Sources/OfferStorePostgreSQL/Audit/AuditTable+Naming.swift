import EligibilityRules
import OfferStore
import OfferStoreSQL

extension AuditTable {
    /// The rows of some apps, within a stretch of time, that name one of these ids, in the order of time.
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

    /// The numbers of the rows of these apps that name one of these ids, among the rows that chains got after these ends.
    func namingRows(
        _ ids: Set<String>,
        _ partitions: [AppPartition],
        behind ends: ChainEnds,
        _ transaction: Transaction
    ) throws -> [Int64] {
        let bits = ChainedRow.placeBits
        return try transaction.run(
            """
            SELECT late.id FROM audit_chain LEFT JOIN unnest($1, $2) AS known (chain, last_row) ON chain = number
            CROSS JOIN LATERAL (
                SELECT id FROM \(rawValue) WHERE id > coalesce(last_row, number << \(bits)) AND id < (number + 1) << \(bits)
                    AND bundle_id = ANY($3) AND (\(naming))
            ) AS late
            WHERE table_name = '\(rawValue)'
            """, .numbers(ends.chains), .numbers(ends.rows), .texts(partitions.map(\.name)), .texts(ids.sorted())
        ).map { $0.number(0) }
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
