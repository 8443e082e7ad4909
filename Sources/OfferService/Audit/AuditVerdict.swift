package import EligibilityRules
package import OfferStore

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
    /// The counts, one element for each table.
    package let tables: [Table]
    /// The ends of the chains that have rows which no seal covers yet.
    package let unsealedEnds: [AuditReport.UnsealedEnd]
    package let seals: Int64
    /// The number of seals that were made with unknown keys.
    package let strangeSeals: Int64
    /// When the latest seal was made; nil if there is none.
    package let sealedAt: Instant?
    /// When the verification ended.
    package let checkedAt: Instant
    /// How long the verification took.
    package let milliseconds: Int64

    /// Counts of one table: its rows in chains, those of them that no seal covers yet, and the rows that retention removed.
    package struct Table: Equatable, Sendable {
        package let name: String
        package let rows: Int64
        package let unsealed: Int64
        package let removed: Int64
    }
}

extension AuditVerdict {
    init(_ report: AuditReport, at now: Instant, milliseconds: Int64) {
        let rows = report.tables.reduce(0) { $0 + $1.rows }
        let unsealed = report.tables.reduce(0) { $0 + $1.unsealed }
        isIntact = report.faults.isEmpty
        isProven = isIntact && report.isSealed
        faults = report.faults.map { "\($0)" }
        if let first = report.faults.first {
            summary = "The audit log was changed: \(first)."
        } else if report.seals == 0 {
            summary =
                "The \(rows) rows of the audit log fit each other, but nothing is sealed: an attacker who can write the store could have "
                + "rewritten all of it, or cut off its end."
        } else if !report.isSealed {
            summary = "The \(rows) rows of the audit log fit each other, but there is no audit key to check its seals with."
        } else if unsealed > 0 {
            summary =
                "The audit log is complete and unchanged up to its last seals; \(unsealed) of its \(rows) rows are not sealed."
        } else {
            summary = "The \(rows) rows of the audit log are complete and unchanged."
        }
        tables = report.tables.map {
            Table(name: $0.table.rawValue, rows: $0.rows, unsealed: $0.unsealed, removed: $0.removed)
        }
        unsealedEnds = report.unsealedEnds
        seals = report.seals
        strangeSeals = report.strangeSeals
        sealedAt = report.latestSeal?.sealedAt
        checkedAt = now
        self.milliseconds = milliseconds
    }
}
