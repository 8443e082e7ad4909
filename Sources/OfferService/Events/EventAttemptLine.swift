package import EligibilityRules
import OfferStore

/// An attempt as people see it.
package struct EventAttemptLine: Sendable {
    package let at: Instant
    package let milliseconds: Int64
    /// The status of the answer; nil without an answer.
    package let status: Int?
    /// Why it failed; nil for a success.
    package let fault: String?

    init(_ attempt: EventAttempt) {
        at = attempt.at
        milliseconds = attempt.milliseconds
        status = attempt.status
        fault = attempt.fault
    }
}
