public import EligibilityRules

/// The fields that many exposures share. The table of arms gives them a number.
public struct ExposureArm: Hashable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// The campaign's id.
    public let campaign: String
    /// The number of the published revision that decided.
    public let revision: Int
    /// The variant's id; nil for the holdout.
    public let variant: String?
    /// The kind of the bucketed id.
    public let unitKind: BucketingUnit

    /// Takes the values as they are.
    public init(partition: AppPartition, campaign: String, revision: Int, variant: String?, unitKind: BucketingUnit) {
        self.partition = partition
        self.campaign = campaign
        self.revision = revision
        self.variant = variant
        self.unitKind = unitKind
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
        self.init(partition: partition, campaign: campaign, revision: revision, variant: variant, unitKind: unitKind)
    }
}
