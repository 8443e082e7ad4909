public import EligibilityRules
public import FoundationEssentials

/// A customer's exposure to a campaign, whatever they received. The results of campaigns count exposures.
public struct Exposure: Hashable, Sendable {
    /// The campaign and the variant. The revision is 0 where a draft decided.
    public let arm: ExposureArm
    /// The bucketed id; a random text after the customer's erasure.
    public let unit: String
    /// When the exposure took place.
    public let at: Instant
    /// The caller that asked, and the storefront and app version that it stated.
    public let source: ExposureSource
    /// Nonce of the signature that the campaign chose; nil if nothing was signed.
    public let nonce: UUID?
    /// Whether the customer is a tester. Such exposures are only counted.
    public let isRehearsal: Bool
    /// The hold on the unit; nil if the campaign is in no exclusion group.
    public let hold: ExposureHold?

    /// Stores the given values without checking them.
    public init(
        arm: ExposureArm,
        unit: String,
        at: Instant,
        source: ExposureSource,
        nonce: UUID? = nil,
        isRehearsal: Bool = false,
        hold: ExposureHold? = nil
    ) {
        self.arm = arm
        self.unit = unit
        self.at = at
        self.source = source
        self.nonce = nonce
        self.isRehearsal = isRehearsal
        self.hold = hold
    }
}

/// A campaign's request to hold the unit that it takes.
///
/// It is granted unless another campaign of the exclusion group holds the unit.
public struct ExposureHold: Hashable, Sendable {
    /// The campaign's exclusion group.
    public let group: String
    /// An ended campaign of the group that may hold the unit, and is replaced if it does; nil for none.
    public let replacing: String?

    /// Stores the given values without checking them.
    public init(group: String, replacing: String? = nil) {
        self.group = group
        self.replacing = replacing
    }
}

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

    /// Stores the given values without checking them.
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
