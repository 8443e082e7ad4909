/// A refund, or the end of Family Sharing; `Revocation.none` says that there is none (any more).
public enum Revocation: Hashable, Comparable, Sendable {
    case none
    /// When the App Store took the purchase back.
    case revoked(at: Instant)

    /// An order only for merging: what was taken back comes last.
    public static func < (left: Revocation, right: Revocation) -> Bool {
        switch (left, right) {
        case (.none, .revoked): true
        case (.revoked(let left), .revoked(let right)): left < right
        case (_, .none): false
        }
    }

    /// When it was taken back; nil if it was not.
    public var instant: Instant? {
        if case .revoked(let instant) = self { instant } else { nil }
    }
}
