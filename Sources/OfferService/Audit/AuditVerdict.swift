package import EligibilityRules

/// What a verification of the audit log amounts to.
package struct AuditVerdict: Equatable, Sendable {
    /// Nothing was found, and there are seals that could be checked.
    package let isProven: Bool
    /// Nothing was found.
    package let isIntact: Bool
    /// One sentence.
    package let summary: String
    /// What was found, in sentences; the first is the first bad row or seal.
    package let faults: [String]
    /// By table: rows in chains, of them not sealed, older than the log, removed by retention.
    package let tables: [Table]
    package let seals: Int64
    /// Seals by keys that are not known here.
    package let strangeSeals: Int64
    /// When the latest seal was made.
    package let sealedAt: Instant?
    /// When the check was over.
    package let checkedAt: Instant
    /// How long it took.
    package let milliseconds: Int64

    /// The rows of one table.
    package struct Table: Equatable, Sendable {
        package let name: String
        package let rows: Int64
        package let unsealed: Int64
        package let unchained: Int64
        package let removed: Int64
    }
}
