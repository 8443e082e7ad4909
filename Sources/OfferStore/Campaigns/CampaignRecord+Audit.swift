import EligibilityRules

extension CampaignRecord {
    /// The campaign's state as a text for the audit log.
    ///
    /// It contains the SHA-256 of each document, so that the log proves what was approved and published. It also contains hashes
    /// of all other stored values, so that no two versions of a campaign have the same text.
    package func auditText(_ functions: AuditFunctions) -> String {
        let live = published.map { "\(status.standing.rawValue), \($0.auditText(functions))" } ?? status.standing.rawValue
        let row = acts.created.auditValues + status.change.auditValues + [acts.step] + acts.changed.auditValues
        let numbers = [versions.campaign, versions.draft, versions.standing, versions.testers].map { String($0) }
        let parts = [
            live, draft?.auditText(functions), testersAuditText(functions), status.isArchived ? "archived" : nil,
            "version \(version), \(functions.text(ofRow: numbers + row))",
        ]
        return parts.compactMap(\.self).joined(separator: Self.separator)
    }

    /// Separates the parts of a state's text.
    static let separator = "; "

    /// The part of a state's text that describes the published revision; nil if nothing is published.
    static func revision(in auditText: String) -> String? {
        let first = auditText.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)[0]
        let parts = first.split(separator: ", ", maxSplits: 1)
        return parts.count == 2 ? String(parts[1]) : nil
    }

    // A hash instead of the testers' ids: a customer's ids can be erased, but this text stays.
    private func testersAuditText(_ functions: AuditFunctions) -> String? {
        guard !testers.isEmpty else { return nil }
        let list = functions.text(of: AuditFunctions.bytes(ofRow: testers.flatMap(\.auditValues)))
        return "\(testers.count) \(testers.count == 1 ? "tester" : "testers") \(list)"
    }

    /// Returns the campaign's next version without the testers that have one of these ids, and the event that records it; nil if
    /// no tester has one.
    ///
    /// - Parameter erasure: the event of a customer's erasure.
    package func erasing(
        _ ids: Set<String>,
        _ erasure: AuditEvent,
        _ functions: AuditFunctions
    ) -> (record: CampaignRecord, event: AuditEvent)? {
        let erased = Set(ids.map(ExactText.init))
        var next = self
        next.testers.removeAll { erased.contains(ExactText($0.id)) }
        guard next.testers.count < testers.count else { return nil }
        next.versions.campaign += 1
        next.versions.testers = next.version
        let event = AuditEvent(
            at: erasure.at, actor: erasure.actor, action: "campaign.testers", partition: AppPartition(bundleID: bundleID),
            object: AuditObject(id, before: auditText(functions), after: next.auditText(functions)),
            requestID: erasure.requestID)
        return (next, event)
    }
}

extension CampaignPublication {
    /// The revision as a text for the audit log.
    func auditText(_ functions: AuditFunctions) -> String {
        let copy = copyOf.map { " (copy of \($0))" } ?? ""
        let row = functions.text(ofRow: approved.auditValues + published.auditValues + authors)
        return "revision \(number)\(copy) \(functions.text(of: document)), \(row)"
    }
}

extension CampaignDraft {
    fileprivate func auditText(_ functions: AuditFunctions) -> String {
        let (submitted, ruling) = (review?.submitted, review?.ruling?.act)
        let acts = [saved, submitted, ruling].flatMap { $0?.auditValues ?? [nil] }
        return "draft of revision \(basedOn) \(phase) \(functions.text(of: document)), \(functions.text(ofRow: acts + authors))"
    }
}

extension CampaignAct {
    /// The values of the act's columns.
    var auditValues: [String?] { [String(at.milliseconds), by, reason] }
}

extension CampaignTester {
    /// The values of the tester's columns.
    var auditValues: [String?] { [kind.rawValue, id, variant, note] }
}
