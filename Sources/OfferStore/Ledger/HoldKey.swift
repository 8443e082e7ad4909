package import EligibilityRules

/// What one campaign at a time can hold: a unit, for an exclusion group.
package struct HoldKey: Hashable, Sendable {
    /// The app in an environment.
    package let partition: AppPartition
    package let group: String
    package let unitKind: BucketingUnit
    package let unit: String

    /// Takes the values as they are.
    package init(partition: AppPartition, group: String, unitKind: BucketingUnit, unit: String) {
        self.partition = partition
        self.group = group
        self.unitKind = unitKind
        self.unit = unit
    }

    // Ids that look alike are different ones, as stores have them.
    package static func == (left: HoldKey, right: HoldKey) -> Bool {
        left.partition == right.partition && left.unitKind == right.unitKind && ExactText(left.unit) == ExactText(right.unit)
            && ExactText(left.group) == ExactText(right.group)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(unit))
        hasher.combine(ExactText(group))
    }
}

extension Exposure {
    /// What its campaign takes; nil where the campaign is in no group.
    package var holdKey: HoldKey? {
        exclusionGroup.map { HoldKey(partition: partition, group: $0, unitKind: unitKind, unit: unit) }
    }
}
