/// A customer who tries a campaign before it counts, and receives a variant whatever the buckets say.
public struct CampaignTester: Hashable, Sendable {
    /// The largest number of testers of a campaign.
    public static let maxCount = 100

    /// The kind of the id.
    public let kind: BucketingUnit
    /// An id of the customer. Any of the customer's purchases may give it, not only the first.
    public let id: String
    /// The variant's id.
    public let variant: String
    /// A note for operators; may be empty.
    public let note: String

    /// Takes the values as they are.
    public init(kind: BucketingUnit = .customer, id: String, variant: String, note: String = "") {
        self.kind = kind
        self.id = id
        self.variant = variant
        self.note = note
    }
}
