package import EligibilityRules
import OfferStore

/// An attempt to deliver an event, as people see it.
package struct EventAttemptLine: Sendable {
    package let at: Instant
    package let milliseconds: Int64
    /// The HTTP status of the answer; nil if there was no answer.
    package let status: Int?
    /// Why the attempt failed; nil if it succeeded.
    package let fault: String?

    init(_ attempt: EventAttempt) {
        at = attempt.at
        milliseconds = attempt.milliseconds
        status = attempt.status
        fault = attempt.fault
    }
}

/// An endpoint as people see it.
///
/// Only the host of its URL is shown, because the rest may contain a secret.
package struct EventEndpointLine: Sendable {
    package let name: String
    /// Scheme and host; nil if the configuration no longer has the endpoint.
    package let host: String?
    package let types: [String]
    /// The bundle ids of the apps whose events it receives; nil for all apps.
    package let apps: [String]?
    /// When the endpoint was disabled; nil while it receives events.
    package let disabledAt: Instant?
    package let pending: Int
    package let failed: Int
    /// When the oldest pending event took place; nil if no event is pending.
    package let oldestPending: Instant?
    /// The public halves of the endpoint's `v1a` keys, which begin with `whpk_`.
    package let publicKeys: [String]
}
