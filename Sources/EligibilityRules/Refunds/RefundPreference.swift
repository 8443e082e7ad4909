/// The outcome of a refund request that the company prefers: Apple's `refundPreference`.
public enum RefundPreference: String, Sendable, CaseIterable {
    case grantFull = "GRANT_FULL"
    case grantProrated = "GRANT_PRORATED"
    case decline = "DECLINE"
}
