/// The placements of all live campaigns by number: a request's is compared once, not by each campaign.
struct CampaignPlacements: Sendable {
    /// A placement that is asked for.
    struct Asked {
        /// Nobody says where.
        let isNobodys: Bool
        let isRetention: Bool
        /// Nil: no campaign names it.
        let number: Int32?
    }

    private var names: [ExactText] = []

    /// Adds it if it is not there.
    mutating func number(adding name: String) -> Int32 {
        if let number = number(of: name) { return number }
        names.append(ExactText(name))
        return Int32(names.count - 1)
    }

    /// - Parameter name: nil where nobody says any.
    func asked(_ name: String?) -> Asked {
        guard let name else { return Asked(isNobodys: true, isRetention: false, number: nil) }
        return Asked(isNobodys: false, isRetention: Campaign.isRetention(name), number: number(of: name))
    }

    private func number(of name: String) -> Int32? { names.firstIndex(of: ExactText(name)).map(Int32.init) }
}
