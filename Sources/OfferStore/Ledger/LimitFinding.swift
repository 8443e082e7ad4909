public import EligibilityRules

/// What was found of a limit that keeps a submission from being recorded as it is.
public struct LimitFinding: Equatable, Sendable {
    /// What there is in place of a signature.
    public enum Reason: Equatable, Sendable {
        /// None is left.
        case usedUp(LimitEvidence)
        /// What was kept with an outstanding signature that may be had again.
        case kept([UInt8])
    }

    /// That of the reservation.
    public let limit: String
    /// What was found.
    public let reason: Reason

    /// Takes the values as they are.
    public init(_ limit: String, _ reason: Reason) {
        self.limit = limit
        self.reason = reason
    }
}
