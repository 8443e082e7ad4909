/// The state of a signing key.
public enum KeyState: String, Sendable, CaseIterable {
    /// The key is loaded and checked, but does not sign yet.
    case staged
    /// The key signs for its apps.
    case active
    /// The key does not sign any more, but customers can still redeem its last signatures.
    case retiring
    /// The key's last signature has expired, so that nothing depends on the key any more.
    case retired
    /// The key must never sign again.
    case revoked
}
