package import EligibilityRules

/// What many exposures share, which has a number in their table.
package struct ExposureArm: Hashable, Sendable {
    /// The app in an environment.
    package let partition: AppPartition
    package let campaign: String
    package let revision: Int
    /// Nil: held out.
    package let variant: String?
    package let unitKind: BucketingUnit

    /// That of an exposure.
    package init(_ exposure: Exposure) {
        partition = exposure.partition
        campaign = exposure.campaign
        revision = exposure.revision
        variant = exposure.variant
        unitKind = exposure.unitKind
    }

    /// Puts one together from what a store has of it. Throws what is damaged.
    package init(
        partition: AppPartition,
        campaign: String,
        revision: Int,
        variant: String?,
        unitKind: String
    ) throws(StoreError) {
        guard let unitKind = BucketingUnit(rawValue: unitKind) else {
            throw StoreError(.damaged, "an exposure is of no known kind of unit")
        }
        self.partition = partition
        self.campaign = campaign
        self.revision = revision
        self.variant = variant
        self.unitKind = unitKind
    }
}
