/// Somebody who tries a campaign out before it counts, and gets a variant whatever the buckets say.
public struct CampaignTester: Hashable, Sendable {
    /// So many a campaign may have.
    public static let maxCount = 100

    /// What the id is.
    public let kind: BucketingUnit
    /// An id of the customer; of purchases any that there is, not only the first.
    public let id: String
    /// The variant's id.
    public let variant: String
    /// For people; may be empty.
    public let note: String

    /// Takes the values as they are.
    public init(kind: BucketingUnit = .customer, id: String, variant: String, note: String = "") {
        self.kind = kind
        self.id = id
        self.variant = variant
        self.note = note
    }
}
