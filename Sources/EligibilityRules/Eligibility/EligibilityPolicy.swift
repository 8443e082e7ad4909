/// An app's choices where Apple leaves them open.
public struct EligibilityPolicy: Hashable, Sendable {
    /// Whether a customer with an incomplete history counts as unknown, not as new.
    public let requiresHistory: Bool
    /// Whether a transaction shared by a family member uses up this customer's introductory offer.
    public let familySharedCountsAsOwn: Bool
    /// The environment whose purchases count. Those of other environments decide nothing.
    public let environment: PurchaseEnvironment
    /// Whether purchases in the environment can be known.
    public let knowsPurchases: Bool

    /// Takes the values as they are.
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
