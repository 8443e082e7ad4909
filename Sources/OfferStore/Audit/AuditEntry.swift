/// A row of the audit log, of whichever table, as an event.
public struct AuditEntry: Equatable, Sendable {
    /// The action of a row of signatures.
    package static let signed = "signature.made"
    /// The action of a row of refusals.
    package static let refused = "signature.refused"

    /// Of which table.
    public let table: AuditTable
    /// Its number there.
    public let id: Int64
    /// What it says. A signature has its key as subject and its offers as `after`, a refusal its offers with their reasons.
    public let event: AuditEvent
    /// SHA-256 of it and of all before it in its chain; nil for a row that is older than the log.
    public let link: AuditLink?

    /// Takes the values as they are.
    package init(table: AuditTable, id: Int64, event: AuditEvent, link: AuditLink?) {
        self.table = table
        self.id = id
        self.event = event
        self.link = link
    }
}
