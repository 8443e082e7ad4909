/// What an app has decided where Apple leaves it open.
public struct EligibilityPolicy: Hashable, Sendable {
    /// Whether a customer whose history is not complete counts as unknown, not as new.
    public let requiresHistory: Bool
    /// Whether a transaction shared by a family member uses up this customer's introductory offer.
    public let familySharedCountsAsOwn: Bool
    /// Which purchases count; those of other environments are known and decide nothing.
    public let environment: PurchaseEnvironment
    /// Whether anything can be known of purchases there.
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
