/// Whether a purchase was revoked, by a refund or by the end of Family Sharing.
public enum Revocation: Hashable, Comparable, Sendable {
    /// The App Store states that the purchase is not revoked, or is no longer revoked.
    case none
    /// The App Store revoked the purchase at this instant.
    case revoked(at: Instant)

    /// The order serves only for merging: a revocation is greater than none.
    public static func < (left: Revocation, right: Revocation) -> Bool {
        switch (left, right) {
        case (.none, .revoked): true
        case (.revoked(let left), .revoked(let right)): left < right
        case (_, .none): false
        }
    }

    /// When the purchase was revoked; nil if it was not.
    public var instant: Instant? {
        if case .revoked(let instant) = self { instant } else { nil }
    }
}
