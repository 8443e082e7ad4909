/// A row of any table of the audit log, as an event.
public struct AuditEntry: Equatable, Sendable {
    /// The action of a signature row.
    package static let signed = "signature.made"
    /// The action of a refusal row.
    package static let refused = "signature.refused"

    /// The row's table.
    public let table: AuditTable
    /// The row's number in the table.
    public let id: Int64
    /// The content. A signature has its key as `subject` and its offers as `after`; a refusal has its offers with their reasons.
    public let event: AuditEvent
    /// SHA-256 of this row and all rows before it in its chain; nil if it cannot be read.
    public let link: AuditLink?

    package init(table: AuditTable, id: Int64, event: AuditEvent, link: AuditLink?) {
        self.table = table
        self.id = id
        self.event = event
        self.link = link
    }
}
