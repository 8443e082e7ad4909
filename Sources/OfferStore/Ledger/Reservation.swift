public import EligibilityRules

/// One of so many that a limit allows at a time, taken by a signature.
public struct Reservation: Equatable, Sendable {
    /// What is limited, such as an offer, a customer's share of it included.
    public let limit: String
    /// How many there may be at a time.
    public let max: Int
    /// From then on it counts.
    public let madeAt: Instant
    /// Until then it counts.
    public let expiresAt: Instant

    /// Takes the values as they are.
    public init(limit: String, max: Int, madeAt: Instant, expiresAt: Instant) {
        self.limit = limit
        self.max = max
        self.madeAt = madeAt
        self.expiresAt = expiresAt
    }
}
