import EligibilityRules
import OfferStore
import OfferStoreSQL

/// Looks for signed requests whose nonces are not stored as used, in the partitions that can have them.
struct NonceCheck {
    private struct Use: Hashable {
        let series: Int64
        let request: Int64
    }

    let transaction: Transaction

    /// The first of these rows that has such a nonce; nil if none has.
    func firstLost(_ rows: ClosedRange<Int64>) throws -> Int64? {
        let ranges = try transaction.run(
            "SELECT first, until_day FROM nonce_range WHERE to_regclass('nonce_series_' || first) IS NOT NULL"
        ).map { ($0.number(0), untilDay: $0.number(1)) }
        var missing: Set<Use> = []
        var uses: [Int64: [Use]] = [:]
        try transaction.run(
            "SELECT id, signed_at, nonces FROM signed_request WHERE id BETWEEN $1 AND $2", .number(rows.lowerBound),
            .number(rows.upperBound)
        ).forEach { row in
            let (request, day) = (row.number(0), row.instant(1).day)
            for series in NonceBytes.series(of: row.bytes(2)) {
                let use = Use(series: series, request: request)
                missing.insert(use)
                // A nonce can be used for less than a day after the day of its issue.
                for (first, untilDay) in ranges where first <= day && untilDay >= day { uses[first, default: []].append(use) }
            }
        }
        for (partition, uses) in uses { try find(uses, in: partition, &missing) }
        // Nonces without a known day are in the first partition.
        if !missing.isEmpty { try find(Array(missing), in: 0, &missing) }
        return missing.map(\.request).min()
    }

    private func find(_ uses: [Use], in partition: Int64, _ missing: inout Set<Use>) throws {
        let sql = "SELECT series, signed_request FROM nonce_series_\(partition) WHERE series = ANY($1)"
        try transaction.run(sql, .numbers(uses.map(\.series))).forEach { row in
            missing.remove(Use(series: row.number(0), request: row.number(1)))
        }
    }
}
