/// A refund, or the end of Family Sharing. `Revocation.none` states that there is none, or none any more.
public enum Revocation: Hashable, Comparable, Sendable {
    case none
    /// When the App Store revoked the purchase.
    case revoked(at: Instant)

    /// The order serves only for merging. A revocation comes last.
    public static func < (left: Revocation, right: Revocation) -> Bool {
        switch (left, right) {
        case (.none, .revoked): true
        case (.revoked(let left), .revoked(let right)): left < right
        case (_, .none): false
        }
    }

    /// When it was revoked; nil if it was not.
    public var instant: Instant? {
        if case .revoked(let instant) = self { instant } else { nil }
    }
}
