/// Where a key stands in its life.
public enum KeyState: String, Sendable, CaseIterable {
    /// Loaded and checked, signs nothing yet.
    case staged
    /// Signs for its apps.
    case active
    /// Signs nothing more; its last signatures can still be redeemed.
    case retiring
    /// None of its signatures can be redeemed any more.
    case retired
    /// Must not be used again.
    case revoked
}
