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

/// A table of the audit log. Each table has its own chains.
public enum AuditTable: String, CaseIterable, Sendable {
    /// Signed requests.
    case signatures = "signed_request"
    /// Requests of which all or some offers were refused.
    case refusals = "refused_request"
    /// All other acts.
    case events = "audit_event"

    /// The code that stands for the table in hashed bytes. It never changes.
    package var code: UInt8 {
        switch self {
        case .signatures: 1
        case .refusals: 2
        case .events: 3
        }
    }
}
