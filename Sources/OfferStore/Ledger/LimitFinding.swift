public import EligibilityRules

/// What was found of a limit that keeps a submission from being recorded as it is.
public struct LimitFinding: Equatable, Sendable {
    /// What there is in place of a signature.
    public enum Reason: Equatable, Sendable {
        /// None is left.
        case usedUp(LimitEvidence)
        /// A signature is outstanding that may be had again.
        case outstanding(EarlierSignature)
        /// Another campaign of the exclusion group has taken the unit before.
        case held(ExclusionHold)
    }

    /// That of the reservation; of a hold the exclusion group.
    public let limit: String
    /// What was found.
    public let reason: Reason

    /// How many of the limit the same submission may take all the same.
    public let room: Int

    /// Takes the values as they are.
    public init(_ limit: String, _ reason: Reason, room: Int = 0) {
        self.limit = limit
        self.reason = reason
        self.room = room
    }
}
