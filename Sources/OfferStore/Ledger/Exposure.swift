public import EligibilityRules
public import FoundationEssentials

/// That a campaign has taken a customer, whatever they were given: what its results are counted by.
public struct Exposure: Hashable, Sendable {
    /// The app in an environment.
    public let partition: AppPartition
    /// The campaign's id.
    public let campaign: String
    /// The number of the published revision that decided.
    public let revision: Int
    /// The variant's id; nil: held out.
    public let variant: String?
    /// What was put into buckets.
    public let unitKind: BucketingUnit
    /// The id that was put into buckets; after the customer was erased something random in its place.
    public let unit: String
    /// When.
    public let at: Instant
    /// Id of the access key that asked; the same for all end users' tokens.
    public let caller: String
    /// The attribute `storefront` as the caller sent it; nil where it is no short text.
    public let storefront: String?
    /// The attribute `appVersion` as the caller sent it; nil where it is no short text.
    public let appVersion: String?
    /// Of the signature that the campaign chose; nil: nothing was signed with it.
    public let nonce: UUID?
    /// Whether it was to a tester: only counted, and never read back as an exposure. Then the revision is 0 where a draft decided.
    public let isRehearsal: Bool
    /// The exclusion group that the campaign is in: it holds the unit from now on, if no other of the group does. Nil: none.
    public let exclusionGroup: String?
    /// A campaign of the group that holds the unit and is over: it makes room.
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
