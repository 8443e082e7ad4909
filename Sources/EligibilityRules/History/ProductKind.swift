/// Apple's product types.
public enum ProductKind: UInt8, Sendable, CaseIterable, Comparable {
    case consumable = 0
    case nonConsumable = 1
    case nonRenewingSubscription = 2
    case autoRenewableSubscription = 3
    /// A value that is not recognised.
    case unrecognised = 255

    /// The order serves only for merging.
    public static func < (left: ProductKind, right: ProductKind) -> Bool { left.rawValue < right.rawValue }
}
