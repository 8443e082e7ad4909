public import EligibilityRules

/// A limit that prevents a submission from being recorded as it is.
public struct LimitFinding: Equatable, Sendable {
    /// Why a limit refuses.
    public enum Reason: Equatable, Sendable {
        /// The limit is used up.
        case usedUp(LimitEvidence)
        /// Another campaign of the exclusion group holds the unit.
        case held(ExclusionHold)
    }

    /// The reservation's limit; for a hold, the exclusion group.
    public let limit: String
    /// Why the limit refuses.
    public let reason: Reason

    /// The number of uses of the limit that the submission may still take.
    public let room: Int

    /// Stores the given values without checking them.
    public init(_ limit: String, _ reason: Reason, room: Int = 0) {
        self.limit = limit
        self.reason = reason
        self.room = room
    }
}
