public import EligibilityRules

/// What somebody decided about a signing key in one app. Of a key's decisions in an app the latest counts.
public struct KeyDecision: Equatable, Sendable {
    /// The state of a key that must not be used again: nothing that it has signed is recorded any more.
    package static let revoked = "revoked"

    /// Apple's key id.
    public let keyID: String
    /// The app.
    public let bundleID: String
    /// Where the key stands since then, by the name of the state.
    public let state: String
    /// When it was decided.
    public let decidedAt: Instant
    /// By whom: an access key's id, or `command-line`.
    public let decidedBy: String
    /// Why, in their words.
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
