/// Apple's `inAppOwnershipType`.
public enum Ownership: UInt8, Sendable, CaseIterable, Comparable {
    case familyShared = 0
    case purchased = 1
    /// Access through an organisation or a group purchase: somebody else paid.
    case assigned = 2
    /// One that nobody knew when this was written.
    case unrecognised = 255

    /// An order only for merging.
    public static func < (left: Ownership, right: Ownership) -> Bool { left.rawValue < right.rawValue }
}
