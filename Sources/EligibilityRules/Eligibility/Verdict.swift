/// Whether a customer may have an offer, why, and which transaction decided it.
public struct Verdict: Hashable, Sendable {
    /// The answer.
    public let status: EligibilityStatus
    /// At least one; the deciding one first.
    public let reasons: [Reason]
    /// Apple's `transactionId` of the purchase that decided; nil when none did.
    public let transactionID: String?

    /// Takes the values as they are.
    public init(_ status: EligibilityStatus, _ reasons: [Reason], transactionID: String? = nil) {
        self.status = status
        self.reasons = reasons
        self.transactionID = transactionID
    }

    /// The same verdict with further reasons behind the deciding one.
    func adding(_ reason: Reason?) -> Verdict {
        reason.map { Verdict(status, reasons + [$0], transactionID: transactionID) } ?? self
    }
}
