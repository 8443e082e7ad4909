package import OfferStore

extension AccessRecord {
    /// What the key may do, for the audit log.
    package var terms: String {
        let until = expiresAt.map { "until \($0.iso8601)" } ?? "without end"
        return "\(role), \(apps?.joined(separator: ", ") ?? "every app"), \(revokedAt == nil ? until : "revoked")"
    }
}
