/// The limit of an offer that is used up, by how much, and until when.
public struct LimitEvidence: Hashable, Sendable {
    /// A limit, by its name in the catalogue.
    public enum Rule: String, Sendable, CaseIterable {
        case perCustomer, cooldown, notWhileActive, outstanding, total
    }

    /// The limit.
    public let rule: Rule
    /// How many it allows.
    public let max: Int
    /// How many there are.
    public let counted: Int
    /// When it allows one more, if nothing else happens; nil means never.
    public let freesAt: Instant?

    /// Takes the values as they are.
    public init(_ rule: Rule, max: Int, counted: Int, freesAt: Instant?) {
        self.rule = rule
        self.max = max
        self.counted = counted
        self.freesAt = freesAt
    }
}
