/// The values of Apple's `errorCode` to which the service reacts.
package enum ServerAPIErrorCode {
    private static let retryable: Set<Int64> = [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_001]
    private static let unknownHere: Set<Int64> = [4_040_005, 4_040_010]

    /// App Store Connect has no URL for the app's notifications.
    package static let noNotificationURL: Int64 = 4_040_007
    /// The test notification is unknown, or has not been sent yet.
    static let testNotificationNotFound: Int64 = 4_040_008

    /// Whether the same request may succeed later.
    static func isRetryable(_ code: Int64?) -> Bool { code.map(retryable.contains) ?? false }

    /// Whether the App Store does not know the transaction in this environment, so that it may belong to the other one.
    static func isUnknownHere(_ code: Int64?) -> Bool { code.map(unknownHere.contains) ?? false }
}
