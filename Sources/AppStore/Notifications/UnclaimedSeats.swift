/// What the App Store says of seats without a holder (`UNCLAIM_SEATS`).
public struct UnclaimedSeats: Sendable {
    private static let maxCount = 1000

    /// The subscription that they belong to; nil when it does not say.
    public let originalTransactionID: String?
    /// Apple's ids of the claims that have ended.
    public let claimIDs: [String]

    init(_ unclaimInfo: AppleObject) {
        originalTransactionID = unclaimInfo.text("originalTransactionId")
        claimIDs = Array((unclaimInfo.texts("unclaimSeatIds") ?? []).prefix(Self.maxCount))
    }
}
