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
