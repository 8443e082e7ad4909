/// An app's choices where Apple leaves them open.
public struct EligibilityPolicy: Hashable, Sendable {
    /// Whether a verdict is `unknown`, instead of that for a new customer, if the customer's history is incomplete.
    public let requiresHistory: Bool
    /// Whether a period that a family member shares uses up this customer's introductory offer.
    public let familySharedCountsAsOwn: Bool
    /// The environment whose purchases count; purchases in other environments decide nothing.
    public let environment: PurchaseEnvironment
    /// Whether purchases in the environment can be known, which those in Xcode cannot.
    public let knowsPurchases: Bool

    /// Stores the given values without checking them.
    public init(
        requiresHistory: Bool = false,
        familySharedCountsAsOwn: Bool = false,
        environment: PurchaseEnvironment = .production,
        knowsPurchases: Bool = true
    ) {
        self.requiresHistory = requiresHistory
        self.familySharedCountsAsOwn = familySharedCountsAsOwn
        self.environment = environment
        self.knowsPurchases = knowsPurchases
    }
}
