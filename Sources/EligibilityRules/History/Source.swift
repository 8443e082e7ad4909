/// The source of a fact about a purchase. At the same instant, the later case is believed.
public enum Source: UInt8, Sendable, CaseIterable, Comparable {
    /// An unsigned notification (V1).
    case notificationV1 = 0
    /// A verifyReceipt response.
    case receipt = 1
    /// Data signed by the App Store: a notification V2, a StoreKit 2 transaction, the Server API.
    case signedData = 2

    /// Orders less trusted sources first.
    public static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
}
