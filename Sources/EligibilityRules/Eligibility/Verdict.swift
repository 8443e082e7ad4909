/// Whether a customer may have an offer, why, and which transaction decided it.
public struct Verdict: Hashable, Sendable {
    /// The answer.
    public let status: EligibilityStatus
    /// The deciding reason.
    public let reason: Reason
    /// What else is worth knowing.
    public let notes: [Reason]
    /// Apple's `transactionId` of the purchase that decided; nil when none did.
    public let transactionID: String?
    /// The limit of the offer that is used up; nil where none is.
    public let limit: LimitEvidence?

    /// Takes the values as they are.
    public init(
        _ status: EligibilityStatus,
        _ reason: Reason,
        notes: [Reason] = [],
        transactionID: String? = nil,
        limit: LimitEvidence? = nil
    ) {
        self.limit = limit
        self.status = status
        self.reason = reason
        self.notes = notes
        self.transactionID = transactionID
    }

    /// The deciding reason and the others behind it.
    public var reasons: [Reason] { [reason] + notes }

    /// The same verdict with further reasons behind the deciding one.
    func adding(_ reason: Reason?) -> Verdict {
        reason.map { Verdict(status, self.reason, notes: notes + [$0], transactionID: transactionID, limit: limit) } ?? self
    }
}
