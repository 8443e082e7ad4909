public import EligibilityRules

/// That a campaign of an exclusion group has taken a unit: no other of the group may, as long as it holds.
public struct ExclusionHold: Hashable, Sendable {
    /// The group.
    public let group: String
    /// What the unit is.
    public let unitKind: BucketingUnit
    /// The id that was put into buckets.
    public let unit: String
    /// The campaign that has taken it.
    public let campaign: String

    /// Takes the values as they are.
    public init(group: String, unitKind: BucketingUnit, unit: String, campaign: String) {
        self.group = group
        self.unitKind = unitKind
        self.unit = unit
        self.campaign = campaign
    }
}
