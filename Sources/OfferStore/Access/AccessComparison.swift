import EligibilityRules

/// Compares the stored access keys with the audit events that record their creation and revocation.
///
/// A key that was made or changed in the database directly differs from its events.
package struct AccessComparison: Sendable {
    /// The actions of the compared events.
    package static let actions = [creation, revocation]
    private static let (creation, revocation) = ("access.create", "access.revoke")

    /// The access keys; the `fault` of each says how it differs from its events.
    package let records: [AccessRecord]
    /// The first difference, which may be a key that is gone although an event records its creation; nil for none.
    package let fault: AuditFault?

    /// - Parameters:
    ///   - records: the stored keys, in an order that is the same in every process, so that every process reports the same fault.
    ///   - events: all events with one of the `actions`, the oldest first.
    package init(_ records: [AccessRecord], _ events: [RecordedEvent]) {
        var told = Dictionary(grouping: events) { ExactText($0.event.object.id ?? "") }
        self.records = records.map { record in
            record.with(Self.difference(record, told.removeValue(forKey: ExactText(record.id))))
        }
        let removed = events.first { told[ExactText($0.event.object.id ?? "")] != nil && $0.event.action == Self.creation }
        fault =
            self.records.lazy.compactMap(\.fault).first
            ?? removed.map { AuditFault(.log, "the access key \($0.event.object.id ?? "") was removed") }
    }

    private static func difference(_ record: AccessRecord, _ events: [RecordedEvent]?) -> AuditFault? {
        func fault(_ finding: String) -> AuditFault { AuditFault(.log, "the access key \(record.id) \(finding)") }
        let (made, ended) = (
            events?.filter { $0.event.action == creation } ?? [], events?.filter { $0.event.action == revocation } ?? []
        )
        guard let first = made.first else { return AuditFault(.log, "no event tells of the access key \(record.id)") }
        guard made.count == 1 else { return fault("was made twice, according to its events") }
        guard (made + ended).allSatisfy(\.isLinked) else { return fault("has an event that does not belong to its chain") }
        let lifetime = record.lifetime
        guard (lifetime.revokedAt == nil) == ended.isEmpty else {
            return fault("is \(lifetime.revokedAt == nil ? "not " : "")revoked, unlike its events")
        }
        guard lifetime.revokedAt.map({ at in ended.contains { $0.event.at == at } }) ?? true else {
            return fault("was revoked at another time than its events tell")
        }
        let now = record.terms(isRevoked: false)
        let after = first.event.object.after ?? ""
        // Events that earlier builds wrote do not mention the secret.
        guard [now, record.creation].contains(where: { ExactText($0) == ExactText(after) }) else {
            let isOther = after.hasPrefix(now)
            return fault(isOther ? "has another secret than it was made with" : "is “\(now)”; it was made as “\(after)”")
        }
        guard first.event.at == lifetime.createdAt, first.event.actor == lifetime.createdBy ?? "command-line" else {
            return fault("was made by another one, or at another time, than its event tells")
        }
        return nil
    }
}
