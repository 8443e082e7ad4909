/// The checks that exclude most customers from most campaigns: placement, schedule and audience.
///
/// It is a flat value without references, because each decision reads the gates of all campaigns.
struct CampaignGate: Sendable {
    /// The number of the campaign's placement; nil for every placement except retention requests.
    private let placement: Int32?
    private let isForRetention: Bool
    // The schedule in ms since 1970; the end is exclusive.
    private let from: Int64
    private let until: Int64
    let audience: AudienceProgram

    /// - Parameter audience: nil admits every customer.
    init(_ campaign: Campaign, audience: AudienceProgram?, _ placements: inout CampaignPlacements) {
        placement = campaign.slot.placement.map { placements.number(adding: $0) }
        isForRetention = campaign.slot.placement.map(Campaign.isRetention) ?? false
        from = campaign.schedule.from?.milliseconds ?? .min
        until = campaign.schedule.until?.milliseconds ?? .max
        self.audience = audience ?? .everybody
    }

    /// Whether the campaign decides at a placement.
    ///
    /// Campaigns for retention requests decide nowhere else, and other campaigns do not decide for retention requests.
    func isFor(_ asked: CampaignPlacements.Asked) -> Bool {
        guard !asked.isAbsent else { return !isForRetention }
        return placement.map { $0 == asked.number } ?? !asked.isRetention
    }

    /// Whether the customer passes all three checks.
    func isOpen(
        _ asked: CampaignPlacements.Asked,
        _ results: borrowing TestResults,
        _ context: borrowing CampaignContext
    ) -> Bool {
        let now = context.facts.asOf.milliseconds
        return isFor(asked) && from <= now && now < until && audience.fits(results, context)
    }
}

/// The placements of all live campaigns by number.
///
/// The numbers exist so that the text of a requested placement is compared once, instead of once for each campaign.
struct CampaignPlacements: Sendable {
    /// The placement of a request.
    struct Asked {
        /// Whether the request names no placement.
        let isAbsent: Bool
        let isRetention: Bool
        /// The number of the placement; nil if no campaign names it.
        let number: Int32?
    }

    private var names: [ExactText] = []

    /// Returns the number of a placement, which it adds if it is new.
    mutating func number(adding name: String) -> Int32 {
        if let number = number(of: name) { return number }
        names.append(ExactText(name))
        return Int32(names.count - 1)
    }

    /// Looks up the placement of a request.
    ///
    /// - Parameter name: nil if the request names no placement.
    func asked(_ name: String?) -> Asked {
        guard let name else { return Asked(isAbsent: true, isRetention: false, number: nil) }
        return Asked(isAbsent: false, isRetention: Campaign.isRetention(name), number: number(of: name))
    }

    private func number(of name: String) -> Int32? { names.firstIndex(of: ExactText(name)).map(Int32.init) }
}
