package import NIOCore

/// Spaces out the refusals of an event loop, so that clients who retry at once do not take it from other callers.
///
/// A thousand leave at once, and then one a millisecond: a few percent of a processor.
package final class RefusalPace {
    package static let burst: Int64 = 1000
    /// The refusals that may wait: for a second at most.
    package static let mostWaiting: Int64 = 1000

    private static let limit = RateLimit(requestsPerSecond: 1000, burst: burst + mostWaiting)

    private let state = RateState()

    package init() {}

    /// Returns how long the next refusal must wait; nil while too many wait.
    package func delay(at now: NIODeadline = .now()) -> TimeAmount? {
        let decision = RefusalPace.limit.admit(state, now: Int64(now.uptimeNanoseconds))
        guard decision.isAllowed else { return nil }
        return .milliseconds(max(0, RefusalPace.mostWaiting - decision.remaining))
    }
}
