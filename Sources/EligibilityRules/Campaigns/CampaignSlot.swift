/// Where a campaign decides, and beside which others.
public struct CampaignSlot: Hashable, Sendable {
    /// The place in the app. Nil means every place but the App Store's retention requests.
    public var placement: String?
    /// Campaigns of higher priority decide first.
    public var priority: Int
    /// Campaigns of the same group never take the same customer. Nil means no group.
    public var exclusionGroup: String?

    /// Takes the values as they are.
    public init(placement: String? = nil, priority: Int = 0, exclusionGroup: String? = nil) {
        self.placement = placement
        self.priority = priority
        self.exclusionGroup = exclusionGroup
    }
}
