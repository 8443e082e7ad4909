import EligibilityRules
import OfferSigning
import OfferStore

extension CampaignRecord {
    /// The campaign's state for the audit log, with the SHA-256 of its texts: the log proves what was approved and published.
    var auditText: String {
        let revision = published.map { revision in
            let copy = revision.copyOf.map { " (copy of \($0))" } ?? ""
            return "\(status.standing.rawValue), revision \(revision.number)\(copy) \(Self.digest(revision.document))"
        }
        let draft = draft.map { draft in
            "draft of revision \(draft.basedOn) \(CampaignPosition(self).phase.rawValue) \(Self.digest(draft.document))"
        }
        return [revision ?? status.standing.rawValue, draft, testersAuditText, status.isArchived ? "archived" : nil].compactMap(
            \.self
        ).joined(
            separator: "; ")
    }

    // No ids, because the log outlives them.
    private var testersAuditText: String? {
        guard !testers.isEmpty else { return nil }
        let text = testers.map { "\($0.kind.rawValue) \($0.id) \($0.variant)" }.joined(separator: "\n")
        return "\(testers.count) \(testers.count == 1 ? "tester" : "testers") \(Self.digest(Array(text.utf8)))"
    }

    private static func digest(_ document: [UInt8]) -> String { "sha256:" + Crypto.hexadecimal(Crypto.sha256(document)) }
}
