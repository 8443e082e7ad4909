import EligibilityRules
import GRDB
import OfferStore
import OfferStoreSQL

extension AuditTable {
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
        _ database: Database
    ) throws -> (entries: [AuditEntry], end: Int64?) {
        let ends = try Row.fetchOne(database, sql: "SELECT min(id), max(id) FROM \(rawValue)")!
        guard let first = ends[0] as Int64?, let last = ends[1] as Int64? else { return ([], nil) }
        let end = min(before ?? .max, last + 1)
        let start = max(first, end - size)
        let names = entryColumns
        var (conditions, arguments) = (["id >= ?", "id < ?"], [start, end] as StatementArguments)
        func add(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            conditions.append(condition)
            arguments += [value]
        }
        add("\(names.time) >= ?", filter.from?.milliseconds)
        add("\(names.time) < ?", filter.until?.milliseconds)
        add("\(names.actor) = ?", filter.actor)
        if let names = filter.bundleID.map({ AppPartition.environments(of: $0).map(\.name) }) {
            conditions.append("(bundle_id IN (\(names.placeholders)) OR bundle_id IS NULL)")
            arguments += StatementArguments(names)
        }
        let sql = "SELECT \(eventColumns) FROM \(rawValue) WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC"
        let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
        var entries: [AuditEntry] = []
        while entries.count < limit, let row = try rows.next() {
            let entry = AuditEntry(self, row)
            if filter.takes(entry.event) { entries.append(entry) }
        }
        return (entries, start > first ? start : nil)
    }
}
