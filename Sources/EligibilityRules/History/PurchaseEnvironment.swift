/// Where a purchase was made.
public enum PurchaseEnvironment: UInt8, Sendable, CaseIterable, Comparable {
    case production = 0
    case sandbox = 1
    /// StoreKit testing in Xcode.
    case local = 2
    /// One that nobody knew when this was written.
    case unrecognised = 255

    /// An order only for merging.
    public static func < (left: PurchaseEnvironment, right: PurchaseEnvironment) -> Bool {
        left.rawValue < right.rawValue
    }
}
