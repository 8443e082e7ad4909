import EligibilityRules

extension AccessRecord {
    /// What the key permits, for the audit log.
    package var terms: String { terms(isRevoked: lifetime.revokedAt != nil) }

    /// What the key permits or, before its revocation, permitted.
    package func terms(isRevoked: Bool) -> String {
        let until = lifetime.expiresAt.map { "until \($0.iso8601)" } ?? "without end"
        return "\(role), \(apps?.joined(separator: ", ") ?? "every app"), \(isRevoked ? "revoked" : until)"
    }
}
