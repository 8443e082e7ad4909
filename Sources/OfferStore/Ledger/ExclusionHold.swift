public import EligibilityRules

/// A campaign's hold on a unit in an exclusion group. No other campaign of the group may take the unit meanwhile.
public struct ExclusionHold: Hashable, Sendable {
    /// The exclusion group.
    public let group: String
    /// The kind of the unit.
    public let unitKind: BucketingUnit
    /// The id that was bucketed.
    public let unit: String
    /// The campaign that holds the unit.
    public let campaign: String

    /// Stores the given values without checking them.
    public init(group: String, unitKind: BucketingUnit, unit: String, campaign: String) {
        self.group = group
        self.unitKind = unitKind
        self.unit = unit
        self.campaign = campaign
    }
}
