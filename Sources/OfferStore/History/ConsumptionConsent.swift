public import EligibilityRules

/// Whether a customer lets the App Store have consumption information, as the app's backend last stated.
public struct ConsumptionConsent: Equatable, Sendable {
    /// Whether the customer agrees.
    public let isGiven: Bool
    /// When the backend stated it.
    public let statedAt: Instant

    /// Takes the values as they are.
    public init(isGiven: Bool, statedAt: Instant) {
        self.isGiven = isGiven
        self.statedAt = statedAt
    }

    /// Returns the latest of several; of two at one instant, the withdrawal.
    package static func latest(of consents: [ConsumptionConsent]) -> ConsumptionConsent? {
        consents.max { $0.statedAt != $1.statedAt ? $0.statedAt < $1.statedAt : $0.isGiven && !$1.isGiven }
    }
}
