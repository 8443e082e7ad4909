/// Some rows of the audit log, the latest first.
package struct AuditPage: Equatable, Sendable {
    package let lines: [AuditLine]
    /// Where the next page begins; nil if this is the last.
    package let next: AuditCursor?
    /// The number of signatures and refusals of the same period that were not searched; 0 if they were.
    ///
    /// Nil if one app is queried, because they are counted for all apps together.
    package let leftOut: Int64?
}
