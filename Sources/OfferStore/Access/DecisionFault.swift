import EligibilityRules

/// What is wrong with access keys and decisions about signing keys that are not as the events say that were recorded with them.
package enum DecisionFault {
    /// A decision without its event, or an event without its decision.
    ///
    /// - Parameter finding: the beginning of the sentence.
    package static func key(_ finding: String, keyID: String, bundleID: String, state: String) -> AuditFault {
        AuditFault(.log, "\(finding) the decision that the key \(keyID) is \(state) for \(bundleID)")
    }

    /// Compares an access key with the events of its beginning and its end; nil where they agree.
    ///
    /// - Parameters:
    ///   - record: nil where there is none.
    ///   - madeID: the id in the event that tells of its beginning.
    ///   - terms: what it was made as; nil where no event tells.
    ///   - maker: who made it.
    ///   - isEnded: whether an event tells that it was revoked.
    package static func access(
        _ record: AccessRecord?,
        madeID: String?,
        terms: String?,
        maker: String?,
        isEnded: Bool
    ) -> AuditFault? {
        guard let record else { return AuditFault(.log, "the access key \(madeID ?? "") was removed") }
        let id = record.id
        guard (record.revokedAt != nil) == isEnded else {
            return AuditFault(.log, "the access key \(id) is \(record.revokedAt == nil ? "not " : "")revoked, unlike its events")
        }
        guard let terms else { return AuditFault(.log, "no event tells of the access key \(id)") }
        let now = record.terms(isRevoked: false)
        guard terms == now else { return AuditFault(.log, "the access key \(id) is “\(now)”; it was made as “\(terms)”") }
        guard let maker, maker == record.createdBy ?? "command-line" else {
            return AuditFault(.log, "the access key \(id) was made by another one than its event says")
        }
        return nil
    }
}
