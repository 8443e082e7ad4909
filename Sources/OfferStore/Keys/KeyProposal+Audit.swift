import EligibilityRules

extension KeyProposal {
    /// What the events of the proposal's beginning and end tell.
    package func auditText(_ functions: AuditFunctions) -> String {
        let row = [keyID, String(proposedAt.milliseconds), proposedBy, reason]
        return "\(requestName) \(id) for \(bundleIDs.joined(separator: ", ")), \(functions.text(ofRow: row))"
    }
}
