/// How far a chain has come.
public struct AuditPosition: Equatable, Sendable {
    /// Rows so far, those that retention took included.
    public var rows: Int64
    /// Id of the last of them.
    public var lastRow: Int64
    /// Its link.
    public var link: AuditLink

    /// Takes the values as they are.
    package init(rows: Int64, lastRow: Int64, link: AuditLink) {
        self.rows = rows
        self.lastRow = lastRow
        self.link = link
    }
}
