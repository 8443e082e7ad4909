public import EligibilityRules

/// A decision about a signing key in one app. The latest decision applies.
public struct KeyDecision: Equatable, Sendable {
    /// The state of a key that must not be used again. The ledger refuses all signatures made with it.
    package static let revoked = "revoked"

    /// Apple's key id.
    public let keyID: String
    /// The app's bundle id.
    public let bundleID: String
    /// The name of the state that the decision puts the key in.
    public let state: String
    /// When the decision was made.
    public let decidedAt: Instant
    /// The actor: an access key's id, or `command-line`.
    public let decidedBy: String
    /// The reason, in the actor's words.
    public let reason: String

    /// Takes the values as they are.
    public init(
        keyID: String,
        bundleID: String,
        state: String,
        decidedAt: Instant,
        decidedBy: String,
        reason: String
    ) {
        self.keyID = keyID
        self.bundleID = bundleID
        self.state = state
        self.decidedAt = decidedAt
        self.decidedBy = decidedBy
        self.reason = reason
    }
}
