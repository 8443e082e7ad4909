public import EligibilityRules

/// A circuit breaker: it decides whether requests are still sent to a host that keeps failing.
public struct CircuitState: Equatable, Sendable {
    private enum Phase: Equatable {
        case closed(failures: Int)
        case open(until: Instant)
        /// One request is under way to find out whether the host works again. If its result is not recorded by this time, another
        /// request may be sent.
        case halfOpen(until: Instant)
    }

    private let threshold: Int
    private let coolDown: Int64
    private var phase = Phase.closed(failures: 0)

    /// - Parameters:
    ///   - threshold: the number of consecutive failures after which no requests are sent.
    ///   - coolDown: how long no requests are sent after that, in ms.
    public init(threshold: Int, coolDown: Int64) {
        self.threshold = threshold
        self.coolDown = coolDown
    }

    /// When the next request may be sent, which may already be past; nil if the number of requests is not restricted.
    public var openUntil: Instant? {
        switch phase {
        case .closed: nil
        case .open(let until), .halfOpen(let until): until
        }
    }

    /// Returns whether a request may be sent now. After each cool-down that is a single request, which tries the host.
    public mutating func admit(at now: Instant) -> Bool {
        guard let until = openUntil else { return true }
        guard now >= until else { return false }
        phase = .halfOpen(until: now.advanced(by: coolDown))
        return true
    }

    /// Records that the host has answered.
    public mutating func noteSuccess() { phase = .closed(failures: 0) }

    /// Records that the host has failed.
    public mutating func noteFailure(at now: Instant) {
        switch phase {
        case .closed(let failures) where failures + 1 < threshold: phase = .closed(failures: failures + 1)
        case .closed, .halfOpen: phase = .open(until: now.advanced(by: coolDown))
        // This request was sent before the host counted as failing, so its failure says nothing new.
        case .open: break
        }
    }
}
