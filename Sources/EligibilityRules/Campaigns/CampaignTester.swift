/// A customer who tries a campaign before other customers meet it.
///
/// A tester receives a chosen variant, whatever the buckets say.
public struct CampaignTester: Hashable, Sendable {
    /// The largest number of testers of a campaign.
    public static let maxCount = 100

    /// Which of the customer's ids `id` is.
    public let kind: BucketingUnit
    /// An id of the customer.
    ///
    /// It may come from any of the customer's purchases, while buckets use the first purchase only.
    public let id: String
    /// The variant's id.
    public let variant: String
    /// A note for operators; may be empty.
    public let note: String

    /// Stores the given values without checking them.
    public init(kind: BucketingUnit = .customer, id: String, variant: String, note: String = "") {
        self.kind = kind
        self.id = id
        self.variant = variant
        self.note = note
    }
}
