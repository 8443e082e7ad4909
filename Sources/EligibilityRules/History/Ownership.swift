/// Apple's `inAppOwnershipType`.
public enum Ownership: UInt8, Sendable, CaseIterable, Comparable {
    case familyShared = 0
    case purchased = 1

    /// An order only for merging.
    public static func < (left: Ownership, right: Ownership) -> Bool { left.rawValue < right.rawValue }
}
