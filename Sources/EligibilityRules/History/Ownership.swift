/// Apple's `inAppOwnershipType`.
public enum Ownership: UInt8, Sendable, CaseIterable, Comparable {
    case familyShared = 0
    case purchased = 1
    /// Access through an organisation or a group purchase, which the customer did not pay for.
    case assigned = 2
    /// A value that is not recognised.
    case unrecognised = 255

    /// The order serves only for merging.
    public static func < (left: Ownership, right: Ownership) -> Bool { left.rawValue < right.rawValue }
}
