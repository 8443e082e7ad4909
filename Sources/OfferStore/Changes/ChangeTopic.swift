/// Data that processes hold in memory and reload after a change.
public enum ChangeTopic: String, CaseIterable, Sendable {
    /// Access keys.
    case access
    /// Signing keys and their states.
    case keys
    /// The published revisions and standings of campaigns.
    case campaigns
}
