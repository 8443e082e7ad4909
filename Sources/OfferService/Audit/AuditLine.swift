package import EligibilityRules

/// A row of the audit log, as shown to people and programs.
package struct AuditLine: Equatable, Sendable {
    /// The table that has the row: `signed_request`, `refused_request` or `audit_event`.
    package let table: String
    /// The row's number in its table.
    package let row: Int64
    package let at: Instant
    /// Who did it: an access key's id, `command-line`, or `service`.
    package let actor: String
    /// What was done: an `AuditAction`, `signature.made` or `signature.refused`.
    package let action: String
    package let bundleID: String?
    /// `Sandbox` or `Xcode` if it happened in that environment beside the app's own; nil otherwise.
    package let environment: String?
    package let subject: String?
    package let before: String?
    package let after: String?
    package let reason: String?
    package let requestID: String?
    package let customerID: String?
    package let transactionID: String?
    package let address: String?
    /// SHA-256 of the row and of all rows before it in its chain, in hexadecimal; nil for a row from before the log had chains.
    package let link: String?
}
