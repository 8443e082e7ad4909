/// The checks that exclude most customers from most campaigns: placement, schedule and audience.
/// A flat value, because each decision reads all of them.
struct CampaignGate: Sendable {
    /// The number of the placement; nil for every place but retention requests.
    private let placement: Int32?
    private let isForRetention: Bool
    // In ms since 1970.
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

    /// Whether it decides at a placement. Retention requests have campaigns of their own, which decide nowhere else.
    func isFor(_ asked: CampaignPlacements.Asked) -> Bool {
        guard !asked.isAbsent else { return !isForRetention }
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

/// The placements of all live campaigns by number. A request's placement is compared once, not by each campaign.
struct CampaignPlacements: Sendable {
    /// A requested placement.
    struct Asked {
        /// Whether no placement is given.
        let isAbsent: Bool
        let isRetention: Bool
        /// Nil if no campaign names it.
        let number: Int32?
    }

    private var names: [ExactText] = []

    /// Returns the number of a placement, which it adds if it is new.
    mutating func number(adding name: String) -> Int32 {
        if let number = number(of: name) { return number }
        names.append(ExactText(name))
        return Int32(names.count - 1)
    }

    /// - Parameter name: nil if no placement is given.
    func asked(_ name: String?) -> Asked {
        guard let name else { return Asked(isAbsent: true, isRetention: false, number: nil) }
        return Asked(isAbsent: false, isRetention: Campaign.isRetention(name), number: number(of: name))
    }

    private func number(of name: String) -> Int32? { names.firstIndex(of: ExactText(name)).map(Int32.init) }
}
