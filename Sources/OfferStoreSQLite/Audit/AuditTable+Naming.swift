import FoundationEssentials
import GRDB
import OfferStore
import OfferStoreSQL

extension AuditTable {
    /// The rows of an app, within a range, that name one of these ids.
    func rows(
        naming ids: Set<String>,
        _ columns: String,
        in partition: AppPartition,
        _ rows: Range<Int64>,
        _ database: Database
    ) throws -> [Row] {
        let sql = "SELECT \(columns) FROM \(rawValue) WHERE id >= ? AND id < ? AND bundle_id = ? AND (\(naming)) ORDER BY id"
        return try Row.fetchAll(
            database.cachedStatement(sql: sql), arguments: try arguments(rows, [partition.name], ids))
    }

    /// The numbers of the rows, within a range, that name one of these ids in any environment of the app.
    func numbers(naming ids: Set<String>, bundleID: String, _ rows: Range<Int64>, _ database: Database) throws -> [Int64] {
        let names = AppPartition.environments(of: bundleID).map(\.name)
        let sql =
            "SELECT id FROM \(rawValue) WHERE id >= ? AND id < ? AND bundle_id IN (\(names.placeholders)) AND (\(naming)) ORDER BY id"
        return try Int64.fetchAll(
            database.cachedStatement(sql: sql), arguments: try arguments(rows, names, ids))
    }

    private func arguments(_ rows: Range<Int64>, _ apps: [String], _ ids: Set<String>) throws -> StatementArguments {
        let list = try ids.sorted().json
        let bounds: StatementArguments = [rows.lowerBound, rows.upperBound]
        return bounds + StatementArguments(apps) + StatementArguments(conditions.map { _ in list })
    }

    private var naming: String { conditions.joined(separator: " OR ") }

    /// The conditions, each with a parameter for the ids as a JSON list.
    private var conditions: [String] {
        var conditions = personalColumns.map { "\($0) IN (SELECT value FROM json_each(?))" }
        if let list = offerList {
            conditions.append(
                """
                EXISTS (SELECT 1 FROM json_each(\(list.name)) AS offer
                    WHERE offer.value ->> \(list.publicFields) IN (SELECT value FROM json_each(?)))
                """)
        }
        return conditions
    }
}
