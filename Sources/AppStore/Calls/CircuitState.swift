public import EligibilityRules

/// A circuit breaker: decides whether a host that keeps failing is asked.
public struct CircuitState: Equatable, Sendable {
    private enum Phase: Equatable {
        case closed(failures: Int)
        case open(until: Instant)
        /// One request tries whether the host is back. If its result is not recorded by this time, another request may be sent.
        case halfOpen(until: Instant)
    }

    private let threshold: Int
    private let coolDown: Int64
    private var phase = Phase.closed(failures: 0)

    /// - Parameters:
    ///   - threshold: the consecutive failures after which the host is not asked.
    ///   - coolDown: how long it is not asked, in ms.
    public init(threshold: Int, coolDown: Int64) {
        self.threshold = threshold
        self.coolDown = coolDown
    }

    /// When the host may be asked again; nil if it may be asked now.
    public var openUntil: Instant? {
        switch phase {
        case .closed: nil
        case .open(let until), .halfOpen(let until): until
        }
    }

    /// Whether a request may be sent. After each cool-down, one request may be sent to try the host.
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
        // This request was sent before the circuit opened, so its failure says nothing new.
        case .open: break
        }
    }
}
