/// Seats without a holder, as the App Store reports them (`UNCLAIM_SEATS`).
public struct UnclaimedSeats: Sendable {
    private static let maxCount = 1000

    /// The subscription that they belong to; nil if not stated.
    public let originalTransactionID: String?
    /// Apple's ids of the claims that have ended.
    public let claimIDs: [String]

    init(_ unclaimInfo: AppleObject) {
        originalTransactionID = unclaimInfo.text("originalTransactionId")
        claimIDs = Array((unclaimInfo.texts("unclaimSeatIds") ?? []).prefix(Self.maxCount))
    }
}
