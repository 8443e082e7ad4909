/// A position in a chain.
public struct AuditPosition: Equatable, Sendable {
    /// Number of rows so far, including those that retention removed.
    public var rows: Int64
    /// Id of the last row.
    public var lastRow: Int64
    /// Link of the last row.
    public var link: AuditLink

    package init(rows: Int64, lastRow: Int64, link: AuditLink) {
        self.rows = rows
        self.lastRow = lastRow
        self.link = link
    }
}
