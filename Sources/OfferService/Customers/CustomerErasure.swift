package import EligibilityRules

/// What erasing a customer has done, and how long nameless rows stay.
package struct CustomerErasure: Equatable, Sendable {
    /// The time of the erasure.
    package let erasedAt: Instant
    /// The number of subscriptions and other purchases that no longer have a customer.
    package var purchases = 0
    /// The number of raw notifications that no longer have content.
    package var notifications = 0
    /// The number of signatures, refusals and events that no longer name a customer.
    package var ledgerRows = 0
    /// When retention deletes the last signature and refusal among them, if the service runs without a break.
    package let ledgerUntil: Instant
    /// When the last stored answer that may still contain a name is deleted.
    ///
    /// Answers are stored under idempotency keys.
    package let answersUntil: Instant
}

/// Why a request about a customer is refused.
package enum CustomerError: Error, Equatable {
    /// Too many searches through the ledger are under way.
    case busy
    /// Nothing is known of the customer in an app.
    case unknown(bundleID: String)
}

extension CustomerError: FailureDescribing {
    /// The failure of `busy`. The caller is to blame for all other errors.
    package var asFailure: Failure { Failure(.load, "busy", "too many requests search the ledger at once") }
}
