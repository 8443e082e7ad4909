/// Which limit of an offer is used up, by how much, and until when.
public struct LimitEvidence: Hashable, Sendable {
    /// A limit, by its name in the catalogue.
    public enum Rule: String, Sendable, CaseIterable {
        case perCustomer, cooldown, notWhileActive, outstanding, total
    }

    /// The limit that is used up.
    public let rule: Rule
    /// How many uses the limit allows; 0 for `notWhileActive`.
    public let max: Int
    /// How many uses count against the limit: redemptions for `perCustomer` and `cooldown`, signatures for `outstanding`,
    /// redemptions and places for `total`, and the running subscription, which is 1, for `notWhileActive`.
    public let counted: Int
    /// When the limit allows one more use if nothing else happens until then; nil means never.
    public let freesAt: Instant?

    /// Stores the given values without checking them.
    public init(_ rule: Rule, max: Int, counted: Int, freesAt: Instant?) {
        self.rule = rule
        self.max = max
        self.counted = counted
        self.freesAt = freesAt
    }
}
