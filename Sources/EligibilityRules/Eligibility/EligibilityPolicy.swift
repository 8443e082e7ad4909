/// What an app has decided where Apple leaves it open.
public struct EligibilityPolicy: Hashable, Sendable {
    /// Whether a customer of whom nothing was ever supplied counts as unknown, not as new.
    public let requiresHistory: Bool
    /// Whether a transaction shared by a family member uses up this customer's introductory offer.
    public let familySharedCountsAsOwn: Bool

    /// Takes the values as they are.
    public init(requiresHistory: Bool = false, familySharedCountsAsOwn: Bool = false) {
        self.requiresHistory = requiresHistory
        self.familySharedCountsAsOwn = familySharedCountsAsOwn
    }
}
