package import EligibilityRules

/// What erasing a customer has done, and what of them stays without a name.
package struct CustomerErasure: Equatable, Sendable {
    /// When.
    package let erasedAt: Instant
    /// Subscriptions and other purchases that are nobody's now.
    package var purchases = 0
    /// Raw notifications without content now.
    package var notifications = 0
    /// Signatures, refusals and events that name nobody now.
    package var ledgerRows = 0
    /// When retention deletes the last signature and refusal among them, if the service runs without a break.
    package let ledgerUntil: Instant
    /// When the last answer under an idempotency key goes that may hold a name.
    package let answersUntil: Instant
}
