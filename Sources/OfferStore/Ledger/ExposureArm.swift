package import EligibilityRules

/// The fields that many exposures share. The table of arms gives them a number.
package struct ExposureArm: Hashable, Sendable {
    /// The app in an environment.
    package let partition: AppPartition
    package let campaign: String
    package let revision: Int
    /// The variant's id; nil for the holdout.
    package let variant: String?
    package let unitKind: BucketingUnit

    /// The arm of an exposure.
    package init(_ exposure: Exposure) {
        partition = exposure.partition
        campaign = exposure.campaign
        revision = exposure.revision
        variant = exposure.variant
        unitKind = exposure.unitKind
    }

    /// Creates an arm from stored values. Throws `damaged` if they are invalid.
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
