/// How the customer has a purchase: Apple's `inAppOwnershipType`.
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

/// The type of a product in Apple's terms.
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

/// Where a purchase was made.
public enum PurchaseEnvironment: UInt8, Sendable, CaseIterable, Comparable {
    case production = 0
    case sandbox = 1
    /// StoreKit testing in Xcode.
    case local = 2
    /// A value that is not recognised.
    case unrecognised = 255

    /// The order serves only for merging.
    public static func < (left: PurchaseEnvironment, right: PurchaseEnvironment) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// How much of a customer's purchases is known.
public enum Completeness: String, Sendable, CaseIterable {
    /// Nothing was ever supplied.
    case none
    /// Some purchases; there may be others.
    case partial
    /// A source has shown all purchases of the Apple account: the Server API's history, or a receipt in the format since iOS 7.
    case complete
}
