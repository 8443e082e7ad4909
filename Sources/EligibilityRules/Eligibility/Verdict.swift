/// Whether a customer may have an offer, why, and which transaction decided it.
public struct Verdict: Hashable, Sendable {
    /// The answer.
    public let status: EligibilityStatus
    /// The deciding reason.
    public let reason: Reason
    /// Further reasons, which do not decide.
    public let notes: [Reason]
    /// Apple's `transactionId` of the deciding purchase; nil if there is none.
    public let transactionID: String?
    /// The limit of the offer that is used up; nil if none is.
    public let limit: LimitEvidence?

    /// Stores the given values without checking them.
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

    /// The deciding reason, followed by the others.
    public var reasons: [Reason] { [reason] + notes }

    /// Returns the verdict with one more reason after the others; nil adds none.
    func adding(_ reason: Reason?) -> Verdict {
        reason.map { Verdict(status, self.reason, notes: notes + [$0], transactionID: transactionID, limit: limit) } ?? self
    }
}

/// The answer to "may this customer have the offer?".
public enum EligibilityStatus: String, Sendable, CaseIterable {
    case eligible
    case ineligible
    /// The history does not show whether the customer may have the offer; the reasons say why.
    case unknown
    /// The catalogue has no such offer.
    case noOffer = "no-offer"
}
