import OfferService

/// The notice that another person was faster, or that a newer revision was published.
struct ReviewLostView: TemplateView {
    /// The form that puts the draft on top of the newer revision.
    struct Merge: TemplateView {
        let action: String
        let seen: String
        /// The address of the changes of the newer revision.
        let compare: String
        let compareLabel: String
        let mergeLabel: String
    }

    let title: String
    let text: String
    let merge: Merge?

    /// Creates the notice; nil if nothing came first.
    init?(_ campaign: ManagedCampaign, _ input: DecisionInput, _ visit: CampaignVisit) {
        let latest = campaign.published?.number ?? 0
        guard let draft = campaign.draft, draft.basedOn < latest else {
            guard let lost = input.lost else { return nil }
            title = lost.title
            text = lost.text
            merge = nil
            return
        }
        title = "Revision \(latest) was published meanwhile"
        text =
            "The draft was made from revision \(draft.basedOn), so it cannot be published any more. Nothing is lost: the draft is kept."
        merge = visit.may(.campaignDrafts) ? Self.merge(campaign, from: draft.basedOn, to: latest, visit) : nil
    }

    private static func merge(_ campaign: ManagedCampaign, from old: Int, to latest: Int, _ visit: CampaignVisit) -> Merge {
        Merge(
            action: visit.path(campaign.name.id, "submit"), seen: "\(campaign.version)",
            compare: "\(visit.path(campaign.name.id, "history"))?from=\(old)&to=\(latest)",
            compareLabel: "See what revision \(latest) changed",
            mergeLabel: "Put the draft's changes on top of revision \(latest)")
    }
}
