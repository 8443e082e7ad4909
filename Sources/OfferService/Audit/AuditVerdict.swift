package import EligibilityRules

/// The result of verifying the audit log.
package struct AuditVerdict: Equatable, Sendable {
    /// Whether no fault was found and the seals could be checked.
    package let isProven: Bool
    /// Whether no fault was found.
    package let isIntact: Bool
    /// The result in one sentence.
    package let summary: String
    /// The faults in sentences; the first is about the first bad row or seal.
    package let faults: [String]
    /// By table: rows in chains, unsealed rows, rows older than the log, and rows removed by retention.
    package let tables: [Table]
    package let seals: Int64
    /// Seals by unknown keys.
    package let strangeSeals: Int64
    /// When the latest seal was made.
    package let sealedAt: Instant?
    /// When the check ended.
    package let checkedAt: Instant
    /// The duration of the check.
    package let milliseconds: Int64

    /// The rows of one table.
    package struct Table: Equatable, Sendable {
        package let name: String
        package let rows: Int64
        package let unsealed: Int64
        package let removed: Int64
    }
}
