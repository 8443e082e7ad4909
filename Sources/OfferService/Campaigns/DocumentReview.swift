package import EligibilityRules

/// Checks documents of campaigns together, as if all of them were live.
package struct DocumentReview {
    private let catalogues: [ExactText: Catalogue]
    private let now: Instant

    /// - Parameter catalogues: the catalogues of all apps, by bundle id.
    package init(catalogues: [String: Catalogue], now: Instant) {
        self.catalogues = Dictionary(uniqueKeysWithValues: catalogues.map { (ExactText($0), $1) })
        self.now = now
    }

    /// The findings about each document. If none of them is an error, all documents can be published.
    package func findings(_ documents: [CampaignDocument]) -> [[DocumentFinding]] {
        let (campaigns, segments) = (documents.flatMap(\.campaigns), documents.flatMap(\.segments))
        var (names, segmentIDs): (Set<[ExactText]>, Set<ExactText>) = ([], [])
        return documents.map { document in
            var findings: [DocumentFinding] = []
            for (index, segment) in document.segments.enumerated() {
                let path = "segments[\(index)]"
                if !segmentIDs.insert(ExactText(segment.id)).inserted {
                    findings.append(.duplicate("segment", segment.id, at: path))
                }
                findings += self.findings(segment, campaigns, segments).map { DocumentFinding($0, in: path) }
            }
            for (index, campaign) in document.campaigns.enumerated() {
                let path = "campaigns[\(index)]"
                if !names.insert([ExactText(campaign.bundleID), ExactText(campaign.id)]).inserted {
                    findings.append(.duplicate("campaign", campaign.id, at: path))
                }
                findings += self.findings(campaign, at: path, campaigns, Segments(segments))
            }
            return findings
        }
    }

    private func findings(
        _ campaign: Campaign,
        at path: String,
        _ others: [Campaign],
        _ segments: Segments
    ) -> [DocumentFinding] {
        guard let catalogue = catalogues[ExactText(campaign.bundleID)] else {
            let known = catalogues.keys.sorted().map { "`\($0.string)`" }.joined(separator: ", ")
            return [
                DocumentFinding(
                    path: "\(path).bundleId", severity: .error,
                    message: "The configuration has no app `\(campaign.bundleID)`. It has: \(known).")
            ]
        }
        let validation = CampaignValidation(catalogue: catalogue, segments: segments, others: others, now: now)
        let findings = validation.findings(campaign) + campaign.planFindings(now: now)
        return findings.map { DocumentFinding($0, in: path) }
    }

    /// The findings about a segment, which names no app. It must be valid for one of the apps that have campaigns in these
    /// documents or, if there are no campaigns, for any app.
    private func findings(_ segment: Segment, _ campaigns: [Campaign], _ segments: [Segment]) -> [CampaignFinding] {
        let apps = Set(campaigns.map { ExactText($0.bundleID) }).intersection(catalogues.keys)
        let found = (apps.isEmpty ? Set(catalogues.keys) : apps).sorted().map { app in
            CampaignValidation(catalogue: catalogues[app]!, segments: Segments(segments), now: now).findings(segment)
        }
        return found.min { $0.count < $1.count } ?? []
    }
}

extension DocumentFinding {
    fileprivate init(_ finding: CampaignFinding, in path: String) {
        self.init(path: "\(path).\(finding.path)", severity: finding.severity, message: finding.message)
    }

    fileprivate static func duplicate(_ noun: String, _ id: String, at path: String) -> DocumentFinding {
        DocumentFinding(
            path: "\(path).id", severity: .error, message: "Another \(noun) has the id `\(id)`. Give each its own id.")
    }
}

/// A finding about a document of campaigns, for its author.
package struct DocumentFinding: Equatable, Sendable {
    /// The path of the field, such as `campaigns[0].variants[1].weight`.
    package let path: String
    package let severity: CampaignFinding.Severity
    /// What is wrong, and then what to do about it.
    package let message: String
}
