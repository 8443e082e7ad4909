package import EligibilityRules

/// What one campaign at a time can hold: a unit, for an exclusion group.
package struct HoldKey: Hashable, Sendable {
    /// What stores know the app by, in an environment.
    package let bundleID: String
    package let group: String
    package let unitKind: BucketingUnit
    package let unit: String

    /// Takes the values as they are.
    package init(bundleID: String, group: String, unitKind: BucketingUnit, unit: String) {
        self.bundleID = bundleID
        self.group = group
        self.unitKind = unitKind
        self.unit = unit
    }
}

extension Exposure {
    /// What its campaign takes; nil where the campaign is in no group.
    package var holdKey: HoldKey? {
        exclusionGroup.map { HoldKey(bundleID: bundleID, group: $0, unitKind: unitKind, unit: unit) }
    }
}
