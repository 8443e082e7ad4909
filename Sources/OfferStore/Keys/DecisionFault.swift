import EligibilityRules

/// Compares access keys and signing key decisions with the events recorded with them.
package enum DecisionFault {
    /// A decision about a signing key, or the event that records one.
    private struct Decision: Hashable {
        let keyID: String
        let bundleID: String
        let state: String
        private let texts: [ExactText]
        private let decidedAt: Instant

        init(_ decision: KeyDecision) {
            let actor = decision.decidedBy == "first-start" ? "service" : decision.decidedBy
            self.init(decision.keyID, decision.bundleID, decision.state, actor, decision.reason, decision.decidedAt)
        }

        /// Returns nil for an event that records no such decision.
        init?(_ event: AuditEvent) {
            guard keyActions.contains(event.action) || event.action == stage && event.partition != nil else { return nil }
            self.init(
                event.object.id ?? "", event.partition?.name ?? "", event.object.after ?? "", event.actor, event.reason ?? "",
                event.at)
        }

        private init(
            _ keyID: String,
            _ bundleID: String,
            _ state: String,
            _ actor: String,
            _ reason: String,
            _ decidedAt: Instant
        ) {
            (self.keyID, self.bundleID, self.state, self.decidedAt) = (keyID, bundleID, state, decidedAt)
            texts = [keyID, bundleID, state, actor, reason].map(ExactText.init)
        }

        static func == (left: Decision, right: Decision) -> Bool {
            left.texts == right.texts && left.decidedAt == right.decidedAt
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(texts)
            hasher.combine(decidedAt)
        }
    }

    private static let keyActions: Set = ["key.activate", "key.rollback", "key.revoke"]
    private static let stage = "key.stage"
    private static let (creation, revocation) = ("access.create", "access.revoke")

    /// The actions of the compared events.
    package static let actions = keyActions.sorted() + [stage, creation, revocation]

    /// The first difference from the events; nil for none.
    ///
    /// - Parameters:
    ///   - decisions: the decisions, earliest first.
    ///   - records: the access keys, in an order that is the same in every process.
    ///   - events: the events with `actions`, earliest first.
    package static func find(
        _ decisions: [KeyDecision],
        _ records: [AccessRecord],
        _ events: [AuditEvent]
    ) -> AuditFault? {
        find(decisions, events) ?? find(records, events)
    }

    private static func find(_ decisions: [KeyDecision], _ events: [AuditEvent]) -> AuditFault? {
        let (kept, recorded) = (decisions.map { Decision($0) }, events.compactMap { Decision($0) })
        func fault(_ finding: String, _ decision: Decision) -> AuditFault {
            AuditFault(
                .log, "\(finding) the decision that the key \(decision.keyID) is \(decision.state) for \(decision.bundleID)")
        }
        // In the order of the decisions, so that every process reports the same fault.
        let (allKept, allRecorded) = (Set(kept), Set(recorded))
        if let decision = kept.first(where: { !allRecorded.contains($0) }) { return fault("no event tells of", decision) }
        return recorded.first { !allKept.contains($0) }.map { fault("an event tells of, and key_decision has not,", $0) }
    }

    private static func find(_ records: [AccessRecord], _ events: [AuditEvent]) -> AuditFault? {
        let ended = Set(events.filter { $0.action == revocation }.map { ExactText($0.object.id ?? "") })
        var creations = Dictionary(grouping: events.filter { $0.action == creation }) { ExactText($0.object.id ?? "") }
        for record in records {
            let id = ExactText(record.id)
            guard (record.lifetime.revokedAt != nil) == ended.contains(id) else {
                let negation = record.lifetime.revokedAt == nil ? "not " : ""
                return AuditFault(.log, "the access key \(record.id) is \(negation)revoked, unlike its events")
            }
            guard let creations = creations.removeValue(forKey: id) else {
                return AuditFault(.log, "no event tells of the access key \(record.id)")
            }
            for creation in creations {
                if let fault = find(record, creation) { return fault }
            }
        }
        let removed = events.first { $0.action == creation && creations[ExactText($0.object.id ?? "")] != nil }
        return removed.map { AuditFault(.log, "the access key \($0.object.id ?? "") was removed") }
    }

    private static func find(_ record: AccessRecord, _ creation: AuditEvent) -> AuditFault? {
        let now = record.terms(isRevoked: false)
        guard creation.object.after.map(ExactText.init) == ExactText(now) else {
            return AuditFault(.log, "the access key \(record.id) is “\(now)”; it was made as “\(creation.object.after ?? "")”")
        }
        guard creation.actor == record.lifetime.createdBy ?? "command-line" else {
            return AuditFault(.log, "the access key \(record.id) was made by another one than its event says")
        }
        return nil
    }
}
