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
