public import EligibilityRules

/// A subscription that the App Store is to be asked about again.
public struct PollTarget: Equatable, Sendable {
    /// The app.
    public let bundleID: String
    /// Names the subscription.
    public let originalTransactionID: String
    /// Since when it is due.
    public let dueAt: Instant

    /// Takes the values as they are.
    public init(bundleID: String, originalTransactionID: String, dueAt: Instant) {
        self.bundleID = bundleID
        self.originalTransactionID = originalTransactionID
        self.dueAt = dueAt
    }
}
