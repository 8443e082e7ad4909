public import EligibilityRules

/// Whether a host that keeps failing is asked at all.
public struct CircuitState: Equatable, Sendable {
    private enum Phase: Equatable {
        case closed(failures: Int)
        case open(until: Instant)
        /// One request is on its way to see whether the host is back; if nobody reports of it, another may go then.
        case halfOpen(until: Instant)
    }

    private let threshold: Int
    private let coolDown: Int64
    private var phase = Phase.closed(failures: 0)

    /// - Parameters:
    ///   - threshold: failures in a row after which the host is left alone.
    ///   - coolDown: for how long, in ms.
    public init(threshold: Int, coolDown: Int64) {
        self.threshold = threshold
        self.coolDown = coolDown
    }

    /// When the host may be asked again; nil when it may be asked.
    public var openUntil: Instant? {
        switch phase {
        case .closed: nil
        case .open(let until), .halfOpen(let until): until
        }
    }

    /// Whether a request may be sent; once after each cool-down it may, to try.
    public mutating func admit(at now: Instant) -> Bool {
        guard let until = openUntil else { return true }
        guard now >= until else { return false }
        phase = .halfOpen(until: now.advanced(by: coolDown))
        return true
    }

    /// The host has answered.
    public mutating func noteSuccess() { phase = .closed(failures: 0) }

    /// The host has failed.
    public mutating func noteFailure(at now: Instant) {
        switch phase {
        case .closed(let failures) where failures + 1 < threshold: phase = .closed(failures: failures + 1)
        case .closed, .halfOpen: phase = .open(until: now.advanced(by: coolDown))
        // Sent before the circuit opened; tells nothing new.
        case .open: break
        }
    }
}
