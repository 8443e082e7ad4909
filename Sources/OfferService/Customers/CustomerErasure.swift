package import EligibilityRules

/// What an erasure has done, and until when rows stay that no longer name the customer.
package struct CustomerErasure: Equatable, Sendable {
    package let erasedAt: Instant
    /// The number of subscriptions and other purchases that no longer have a customer.
    package var purchases = 0
    /// The number of raw notifications that no longer have content.
    package var notifications = 0
    /// The number of signatures, refusals and events that no longer name a customer.
    package var ledgerRows = 0
    /// When retention deletes the last of these signatures and refusals, if the service runs without a break until then.
    package let ledgerUntil: Instant
    /// When the last stored answer is deleted that may still name the customer.
    ///
    /// The service stores answers under idempotency keys.
    package let answersUntil: Instant
}

/// Why a request about a customer is refused.
package enum CustomerError: Error, Equatable {
    /// Too many searches through the ledger are under way.
    case busy
    /// The app knows nothing of the customer.
    case unknown(bundleID: String)
}

extension CustomerError: FailureDescribing {
    /// The failure of `busy`. Other errors are no failures, because the caller can avoid them.
    package var asFailure: Failure { Failure(.load, "busy", "too many requests search the ledger at once") }
}
