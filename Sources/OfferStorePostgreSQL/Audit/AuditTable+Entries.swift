import EligibilityRules
import OfferStore

extension AuditTable {
    /// Rows that may match a filter, the latest first.
    ///
    /// - Parameter before: returns only rows older than this one; nil begins with the latest.
    func entries(_ filter: AuditFilter, before: Int64?, limit: Int, _ transaction: Transaction) throws -> [AuditEntry] {
        let (time, actor) = entryColumns
        var (conditions, values): ([String], [Value]) = ([], [.number(Int64(limit))])
        func add(_ condition: (_ parameter: String) -> String, _ value: Value?) {
            guard let value else { return }
            values.append(value)
            conditions.append(condition("$\(values.count)"))
        }
        add({ "(\(time), id) < ((SELECT \(time) FROM \(rawValue) WHERE id = \($0)), \($0))" }, before.map(Value.number))
        add({ "\(time) >= \($0)" }, filter.from.map(Value.instant))
        add({ "\(time) < \($0)" }, filter.until.map(Value.instant))
        add({ "\(actor) = \($0)" }, filter.actor.map(Value.text))
        let partitions = filter.bundleID.map { AppPartition.environments(of: $0).map { Optional($0.name) } }
        add({ "(bundle_id = ANY(\($0)) OR bundle_id IS NULL)" }, partitions.map(Value.texts))
        let sql = """
            SELECT \(eventColumns) FROM \(rawValue) \(conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))")
            ORDER BY \(time) DESC, id DESC LIMIT $1
            """
        return try transaction.run([Statement(sql, values)]).first!.map { AuditEntry(self, $0) }
    }
}
