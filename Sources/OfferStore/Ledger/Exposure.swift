public import EligibilityRules
public import FoundationEssentials

/// A customer's exposure to a campaign, whatever they received. The results of campaigns count exposures.
public struct Exposure: Hashable, Sendable {
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
    /// The bucketed id; a random text after the customer's erasure.
    public let unit: String
    /// When the exposure took place.
    public let at: Instant
    /// Id of the caller's access key; one common id for all end users' tokens.
    public let caller: String
    /// The attribute `storefront` as sent; nil if it is not a short text.
    public let storefront: String?
    /// The attribute `appVersion` as sent; nil if it is not a short text.
    public let appVersion: String?
    /// Nonce of the signature that the campaign chose; nil if nothing was signed.
    public let nonce: UUID?
    /// Whether the customer is a tester. Such exposures are only counted. The revision is 0 where a draft decided.
    public let isRehearsal: Bool
    /// The campaign's exclusion group; nil for none. The campaign holds the unit from now on, unless another one does.
    public let exclusionGroup: String?
    /// An ended campaign of the group that holds the unit and can be replaced.
    public let replacing: String?

    /// Takes the values as they are.
    public init(
        partition: AppPartition,
        campaign: String,
        revision: Int,
        variant: String?,
        unitKind: BucketingUnit,
        unit: String,
        at: Instant,
        caller: String,
        storefront: String? = nil,
        appVersion: String? = nil,
        nonce: UUID? = nil,
        isRehearsal: Bool = false,
        exclusionGroup: String? = nil,
        replacing: String? = nil
    ) {
        self.partition = partition
        self.campaign = campaign
        self.revision = revision
        self.variant = variant
        self.unitKind = unitKind
        self.unit = unit
        self.at = at
        self.caller = caller
        self.storefront = storefront
        self.appVersion = appVersion
        self.nonce = nonce
        self.isRehearsal = isRehearsal
        self.exclusionGroup = exclusionGroup
        self.replacing = replacing
    }
}
