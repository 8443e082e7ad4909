import EligibilityRules

extension AccessRecord {
    /// What the key permits, for the audit log.
    package var terms: String { terms(isRevoked: lifetime.revokedAt != nil) }

    /// What the event of the key's creation tells: its terms, and the beginning of its secret's digest, which another secret has not.
    package var creation: String {
        "\(terms(isRevoked: false)), secret's SHA-256 \(Hexadecimal.encode(Array(secretDigest.prefix(16))))…"
    }

    /// What the key permits or, before its revocation, permitted.
    package func terms(isRevoked: Bool) -> String {
        let until = lifetime.expiresAt.map { "until \($0.iso8601)" } ?? "without end"
        return "\(role), \(apps?.joined(separator: ", ") ?? "every app"), \(isRevoked ? "revoked" : until)"
    }
}
