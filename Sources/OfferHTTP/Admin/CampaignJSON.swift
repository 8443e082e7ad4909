import EligibilityRules
import OfferService
import WireText

/// Campaigns as the API shows them.
enum CampaignJSON {
    /// Returns a campaign for a list, without its texts.
    ///
    /// - Parameter figures: the campaign's figures; nil if they were not counted yet.
    static func line(_ campaign: ManagedCampaign, _ figures: CampaignFigures?) -> JSONValue {
        .object(head(campaign) + (figures.map { [JSONValue.Member(name: "figures", value: $0.json)] } ?? []))
    }

    /// Returns a whole campaign with its findings.
    static func campaign(_ campaign: ManagedCampaign, _ findings: [CampaignFinding]) -> JSONValue {
        .object(
            head(campaign) + [
                JSONValue.Member(name: "draft", value: campaign.draft.map(draft) ?? .null),
                JSONValue.Member(name: "published", value: campaign.published.map(revision) ?? .null),
                JSONValue.Member(name: "findings", value: .array(findings.map(finding))),
                JSONValue.Member(name: "testers", value: testers(campaign)),
            ])
    }

    static func revision(_ revision: ManagedCampaign.Revision) -> JSONValue {
        .members([
            "revision": .integer(revision.number), "campaign": revision.text.json, "authors": .texts(revision.authors),
            "approvedBy": .string(revision.approved.by), "approvedAt": .instant(revision.approved.at),
            "publishedBy": .string(revision.published.by), "publishedAt": .instant(revision.published.at),
            "reason": .string(revision.published.reason), "copyOf": revision.copyOf.map { .integer($0) } ?? .null,
        ])
    }

    static func activity(_ entry: CampaignActivity) -> JSONValue {
        .members([
            "number": .number("\(entry.number)"), "step": .string(entry.step), "at": .instant(entry.act.at),
            "by": .string(entry.act.by), "reason": .string(entry.act.reason), "revision": .integer(entry.revision),
        ])
    }

    static func testers(_ campaign: ManagedCampaign) -> JSONValue {
        .array(
            campaign.testers.map { tester in
                .object([
                    JSONValue.Member(name: tester.kind.apiName, value: .string(tester.id)),
                    JSONValue.Member(name: "variant", value: .string(tester.variant)),
                    JSONValue.Member(name: "note", value: .string(tester.note)),
                ])
            })
    }

    static func finding(_ finding: CampaignFinding) -> JSONValue {
        .members([
            "path": .string(finding.path), "code": .string(finding.code.rawValue), "severity": .string(finding.severity.rawValue),
            "message": .string(finding.message),
        ])
    }

    private static func head(_ campaign: ManagedCampaign) -> [JSONValue.Member] {
        let (text, last) = ((campaign.published?.text ?? campaign.text)?.campaign, campaign.lastChange)
        let members: JSONValue = .members([
            "id": .string(campaign.name.id), "bundleId": .string(campaign.name.bundleID), "name": .text(text?.name),
            "state": .string(campaign.state.rawValue), "version": .number("\(campaign.version)"),
            "revision": campaign.published.map { .integer($0.number) } ?? .null,
            "archived": .bool(campaign.isArchived), "draftState": campaign.draft.map { .string($0.phase.rawValue) } ?? .null,
            "changedAt": .instant(last.act.at), "changedBy": .string(last.act.by),
            "createdAt": .instant(campaign.created.at), "createdBy": .string(campaign.created.by),
        ])
        guard case .object(let all) = members else { return [] }
        return all
    }

    private static func draft(_ draft: ManagedCampaign.Draft) -> JSONValue {
        .members([
            "campaign": draft.text.json, "state": .string(draft.phase.rawValue), "basedOn": .integer(draft.basedOn),
            "authors": .texts(draft.authors), "savedAt": .instant(draft.saved.at), "savedBy": .string(draft.saved.by),
            "submittedAt": .instant(draft.submitted?.at), "submittedBy": .text(draft.submitted?.by),
            "ruledAt": .instant(draft.ruled?.at), "ruledBy": .text(draft.ruled?.by), "reason": .text(draft.ruled?.reason),
        ])
    }
}
