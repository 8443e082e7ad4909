package import EligibilityRules

/// What a list needs of a campaign to filter and sort it, made once for each version of the campaign.
package final class CampaignOutline: Sendable {
    /// The name for people (`ManagedCampaign.title`).
    package let title: String
    /// The words by which the campaign is found, in lower case: names, id, tags, placement, products, offers and links.
    package let words: String
    package let tags: [String]
    /// Where the campaign decides; nil for everywhere, or if its text cannot be read.
    package let placement: String?
    /// 0 if the text cannot be read.
    package let priority: Int
    /// Whether the text of the draft, or of the published revision if there is no draft, can be read.
    package let isReadable: Bool
    private let campaign: ManagedCampaign
    /// The schedule of the published revision; nil if there is none, or if it cannot be read.
    private let schedule: CampaignSchedule?
    /// When the schedule of the published revision, or of the draft if there is none, ends.
    private let until: Instant?

    init(_ campaign: ManagedCampaign) {
        let (published, text) = (campaign.published?.text.campaign, campaign.text?.campaign)
        let texts = [published, campaign.draft?.text.campaign].compactMap(\.self)
        let variants = texts.flatMap(\.design.variants)
        self.campaign = campaign
        title = campaign.title
        tags = text?.tags ?? []
        placement = text?.slot.placement
        priority = text?.slot.priority ?? 0
        isReadable = text != nil
        schedule = published?.schedule
        until = (published ?? text)?.schedule.until
        let all = [
            [campaign.name.id, campaign.title], texts.map(\.name), tags, [text?.slot.placement].compactMap(\.self),
            variants.flatMap(\.offers).flatMap { [$0.productID, $0.offerID] },
            variants.flatMap { [$0.introductoryOffer?.productID, $0.switchTo?.productID, $0.link].compactMap(\.self) },
        ]
        words = all.joined().joined(separator: "\n").lowercased()
    }

    package var id: String { campaign.name.id }
    /// The actor who wrote the first draft.
    package var owner: String { campaign.owner }
    package var isArchived: Bool { campaign.isArchived }
    /// Whether there is a draft or a published revision. A campaign whose only draft was discarded has neither.
    package var hasText: Bool { campaign.draft != nil || campaign.published != nil }
    package var lastChange: Instant { campaign.lastChange.act.at }

    package func state(at now: Instant) -> CampaignState { CampaignState(campaign.position, schedule, at: now) }

    /// Returns when the campaign ends or has ended; nil if no end is planned.
    package func end(at now: Instant) -> Instant? { state(at: now) == .ended ? self.campaign(at: now).standsSince : until }

    /// Returns the whole campaign, with its state at an instant.
    package func campaign(at now: Instant) -> ManagedCampaign { campaign.at(now) }
}
