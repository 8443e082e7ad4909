/// What processes keep in memory and read again when it has changed.
public enum ChangeTopic: String, CaseIterable, Sendable {
    /// Access keys.
    case access
    /// Signing keys and their states.
    case keys
    /// What is published of campaigns, and whether it counts.
    case campaigns
}
