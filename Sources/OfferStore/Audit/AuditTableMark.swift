/// Where the rows of a table begin.
public struct AuditTableMark: Equatable, Sendable {
    /// The table.
    public let table: AuditTable
    /// Id of the last row that retention removed; 0 for none.
    public let removed: Int64

    package init(table: AuditTable, removed: Int64) {
        self.table = table
        self.removed = removed
    }
}
