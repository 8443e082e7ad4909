/// Where a fact about a purchase comes from; at the same instant the later case is believed.
public enum Source: UInt8, Sendable, CaseIterable, Comparable {
    /// An unsigned notification (V1).
    case notificationV1 = 0
    /// A verifyReceipt response.
    case receipt = 1
    /// Data signed by the App Store: a notification V2, a StoreKit 2 transaction, the Server API.
    case signedData = 2

    /// Less trusted before more trusted.
    public static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
}
