/// Some rows of the audit log, the latest first.
package struct AuditPage: Equatable, Sendable {
    package let lines: [AuditLine]
    /// Where the next page begins; nil if this is the last.
    package let next: AuditCursor?
    /// Signatures and refusals of the same time that were not looked for; 0 where they were, nil where one app's are asked for: they are
    /// counted for all apps together.
    package let leftOut: Int64?
}
