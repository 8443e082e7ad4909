/// What processes keep in memory and read again when it has changed.
public enum ChangeTopic: String, CaseIterable, Sendable {
    /// Access keys.
    case access
    /// Signing keys and their states.
    case keys
}
