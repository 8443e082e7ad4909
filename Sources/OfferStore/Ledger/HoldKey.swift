package import EligibilityRules

/// A unit in an exclusion group, which one campaign at a time can hold.
package struct HoldKey: Hashable, Sendable {
    /// The app in an environment.
    package let partition: AppPartition
    package let group: String
    package let unitKind: BucketingUnit
    package let unit: String

    package init(partition: AppPartition, group: String, unitKind: BucketingUnit, unit: String) {
        self.partition = partition
        self.group = group
        self.unitKind = unitKind
        self.unit = unit
    }

    // Compares bytes, as stores do: canonically equivalent ids differ.
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
    /// The unit that the campaign takes; nil if it is in no group.
    package var holdKey: HoldKey? {
        hold.map { HoldKey(partition: arm.partition, group: $0.group, unitKind: arm.unitKind, unit: unit) }
    }
}
