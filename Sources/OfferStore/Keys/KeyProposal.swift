public import EligibilityRules

/// A decision about a signing key that a second person has to agree to.
public struct KeyProposal: Equatable, Sendable {
    /// Names it.
    public let id: String
    /// What is wanted: the name of the wish.
    public let wish: String
    /// Apple's key id.
    public let keyID: String
    /// The apps that it is for, sorted.
    public let bundleIDs: [String]
    /// When it was made.
    public let proposedAt: Instant
    /// By whom: an access key's id.
    public let proposedBy: String
    /// Why, in their words.
    public let reason: String

    /// Takes the values as they are.
    public init(
        id: String,
        wish: String,
        keyID: String,
        bundleIDs: [String],
        proposedAt: Instant,
        proposedBy: String,
        reason: String
    ) {
        self.id = id
        self.wish = wish
        self.keyID = keyID
        self.bundleIDs = bundleIDs
        self.proposedAt = proposedAt
        self.proposedBy = proposedBy
        self.reason = reason
    }
}
