/// Apple's `errorCode` as far as it says something about asking again.
enum ServerAPIErrorCode {
    private static let retryable: Set<Int64> = [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_001]
    private static let unknownHere: Set<Int64> = [4_040_005, 4_040_010]

    /// Whether the same request may succeed later.
    static func isRetryable(_ code: Int64?) -> Bool { code.map(retryable.contains) ?? false }

    /// Whether the transaction may belong to the other environment.
    static func isUnknownHere(_ code: Int64?) -> Bool { code.map(unknownHere.contains) ?? false }
}
