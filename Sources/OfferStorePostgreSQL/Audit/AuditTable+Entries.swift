import EligibilityRules
import OfferStore
import OfferStoreSQL

extension AuditTable {
    // How many rows are read at once if only this program, not the database, can tell which of them match.
    private static let rowsAtOnce = 1000

    /// The matching rows of one slice, the latest first, and the row before which the next slice begins; nil if no row is left.
    ///
    /// - Parameters:
    ///   - before: reads only rows older than this one; nil begins with the latest.
    ///   - size: how many rows a slice has.
    func entries(
        _ filter: AuditFilter,
        before: Int64?,
        limit: Int,
        size: Int64,
        _ transaction: Transaction
    ) throws -> (entries: [AuditEntry], end: Int64?) {
        let (time, actor) = entryColumns
        var values: [SQLValue] = []
        func condition(_ text: (_ parameter: String) -> String, _ value: SQLValue?) -> String? {
            guard let value else { return nil }
            values.append(value)
            return text("$\(values.count)")
        }
        // The conditions that bound the slice. All are on times, which have an index.
        let place = "(\(time), id)"
        let bounds = [
            condition({ "\(place) < ((SELECT \(time) FROM \(rawValue) WHERE id = \($0)), \($0))" }, before.map(SQLValue.number)),
            condition({ "\(time) >= \($0)" }, filter.from.map(SQLValue.instant)),
            condition({ "\(time) < \($0)" }, filter.until.map(SQLValue.instant)),
        ].compactMap(\.self)
        func slice(_ columns: String) -> String {
            """
            SELECT \(columns) FROM \(rawValue) \(bounds.isEmpty ? "" : "WHERE \(bounds.joined(separator: " AND "))")
            ORDER BY \(time) DESC, id DESC LIMIT \(size)
            """
        }
        let end = SQLStatement(
            "SELECT id, count(*) OVER () FROM (\(slice("\(time), id"))) AS slice ORDER BY \(time), id LIMIT 1", values)
        let partitions = filter.bundleID.map { AppPartition.environments(of: $0).map { Optional($0.name) } }
        let conditions = [
            condition({ "\(actor) = \($0)" }, filter.actor.map(SQLValue.text)),
            condition({ "(bundle_id = ANY(\($0)) OR bundle_id IS NULL)" }, partitions.map(SQLValue.texts)),
        ].compactMap(\.self)
        let atOnce = filter.action == nil && filter.text == nil ? limit : max(limit, Self.rowsAtOnce)
        let matching = SQLStatement(
            """
            SELECT \(eventColumns) FROM (\(slice("*"))) AS slice
            \(conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))")
            ORDER BY \(time) DESC, id DESC LIMIT \(atOnce)
            """, values)
        let found = try transaction.run([matching]).first!.map { AuditEntry(self, $0) }
        let entries = Array(found.lazy.filter { filter.takes($0.event) }.prefix(limit))
        // If fewer rows were found than asked for, the slice is over. Otherwise the next one begins after the last row found.
        guard found.count < atOnce else { return (entries, found.last?.id) }
        let last = try transaction.run([end]).first!.first { (id: $0.number(0), isFull: $0.number(1) == size) }
        return (entries, last.flatMap { $0.isFull ? $0.id : nil })
    }
}
