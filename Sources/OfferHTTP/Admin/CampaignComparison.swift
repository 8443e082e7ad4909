import OfferService
import WireText

/// The differences between two versions of a campaign, in words.
struct CampaignComparison: Sendable {
    private static let draft = "draft"

    let json: JSONValue

    /// - Parameters:
    ///   - from: a revision number, or `draft`; nil for the revision before `to` or, if `to` is the draft, the one that it is
    ///     based on.
    ///   - to: a revision number, or `draft`; nil for the draft, or for the latest revision if there is no draft.
    ///   - revision: finds a revision by its number.
    init(
        _ campaign: ManagedCampaign,
        from: String?,
        to: String?,
        revision: (Int) async throws -> ManagedCampaign.Revision
    ) async throws {
        let latest = campaign.published?.number ?? 0
        let to = to ?? (campaign.draft == nil ? "\(latest)" : Self.draft)
        let before = to == Self.draft ? campaign.draft?.basedOn ?? latest : (Int(to) ?? 1) - 1
        let from = from ?? "\(before)"
        func text(_ version: String, _ field: String) async throws -> CampaignText? {
            if version == Self.draft {
                guard let draft = campaign.draft else { throw CampaignError.notNow(.submit, campaign.position) }
                return draft.text
            }
            guard let number = Int(version), number >= 0 else {
                throw RequestFault.invalidFields([FieldFault(name: field, reason: "must be the number of a revision, or draft")])
            }
            // Revision 0 stands for the time before the first revision, when there was no text.
            return number == 0 ? nil : try await revision(number).text
        }
        let (old, new) = (try await text(from, "from"), try await text(to, "to"))
        json = .members([
            "from": Self.name(from), "to": Self.name(to), "changes": .texts(CampaignText.changes(from: old, to: new)),
        ])
    }

    private static func name(_ version: String) -> JSONValue { Int(version).map { .integer($0) } ?? .string(version) }
}
