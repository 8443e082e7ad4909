import EligibilityRules

extension AccessRecord {
    /// What the key may do, for the audit log.
    package var terms: String { terms(isRevoked: revokedAt != nil) }

    /// What the key may do or, before it was revoked, might.
    package func terms(isRevoked: Bool) -> String {
        let until = expiresAt.map { "until \($0.iso8601)" } ?? "without end"
        return "\(role), \(apps?.joined(separator: ", ") ?? "every app"), \(isRevoked ? "revoked" : until)"
    }
}
