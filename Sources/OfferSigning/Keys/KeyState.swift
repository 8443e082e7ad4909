/// The state of a signing key.
public enum KeyState: String, Sendable, CaseIterable {
    /// Loaded and checked; does not sign yet.
    case staged
    /// Signs for its apps.
    case active
    /// Signs no more; its last signatures can still be redeemed.
    case retiring
    /// Its signatures cannot be redeemed any more.
    case retired
    /// Must not be used again.
    case revoked
}
