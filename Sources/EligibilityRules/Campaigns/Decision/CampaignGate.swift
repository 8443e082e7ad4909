/// What most campaigns pass most customers over for: placement, schedule, audience. A flat value, because each decision looks at all of them.
struct CampaignGate: Sendable {
    /// Of the placement among those of all campaigns; nil: any but the App Store's questions.
    private let placement: Int32?
    private let isForRetention: Bool
    // In ms since 1970.
    private let from: Int64
    private let until: Int64
    let audience: AudienceProgram

    /// - Parameter audience: nil: everybody.
    init(_ campaign: Campaign, audience: AudienceProgram?, _ placements: inout CampaignPlacements) {
        placement = campaign.placement.map { placements.number(adding: $0) }
        isForRetention = campaign.placement.map(Campaign.isRetention) ?? false
        from = campaign.schedule.from?.milliseconds ?? .min
        until = campaign.schedule.until?.milliseconds ?? .max
        self.audience = audience ?? .everybody
    }

    /// Whether it decides there. The App Store's questions are answered by campaigns for them only, and these are for nothing else.
    func isFor(_ asked: CampaignPlacements.Asked) -> Bool {
        guard !asked.isNobodys else { return !isForRetention }
        return placement.map { $0 == asked.number } ?? !asked.isRetention
    }

    /// Whether it lets the customer through.
    func isOpen(
        _ asked: CampaignPlacements.Asked,
        _ results: borrowing TestResults,
        _ context: borrowing CampaignContext
    ) -> Bool {
        let now = context.facts.asOf.milliseconds
        return isFor(asked) && from <= now && now < until && audience.fits(results, context)
    }
}
