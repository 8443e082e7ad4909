import OfferSigning
import OfferStore

extension CampaignRecord {
    /// How it is, for the audit log: with the SHA-256 of what it says, so that the log proves what was approved and published.
    var said: String {
        let revision = published.map { revision in
            let copy = revision.copyOf.map { " (copy of \($0))" } ?? ""
            return "\(standing.rawValue), revision \(revision.number)\(copy) \(Self.digest(revision.document))"
        }
        let draft = draft.map { draft in
            "draft of revision \(draft.basedOn) \(CampaignPosition(self).phase.rawValue) \(Self.digest(draft.document))"
        }
        return [revision ?? standing.rawValue, draft].compactMap(\.self).joined(separator: "; ")
    }

    private static func digest(_ document: [UInt8]) -> String { "sha256:" + Crypto.hexadecimal(Crypto.sha256(document)) }
}
