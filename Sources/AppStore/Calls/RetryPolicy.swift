public import EligibilityRules

/// How often a request is sent again, and after what pause: exponential backoff with full jitter.
public struct RetryPolicy: Equatable, Sendable {
    /// What to do after an attempt that failed.
    public enum Decision: Equatable, Sendable {
        case wait(milliseconds: Int64)
        case giveUp
    }

    /// The most attempts, including the first one.
    public let maxAttempts: Int
    /// The longest pause after the first attempt, in ms. It doubles with each further one.
    public let baseDelay: Int64
    /// The longest pause after any attempt, in ms.
    public let maxDelay: Int64
    /// The longest pause that the App Store may ask for, in ms. If it asks for a longer one, the request is given up.
    public let maxWait: Int64

    /// Takes the values as they are; negative ones count as 0.
    public init(maxAttempts: Int = 3, baseDelay: Int64 = 200, maxDelay: Int64 = 5000, maxWait: Int64 = 5000) {
        self.maxAttempts = maxAttempts
        self.baseDelay = max(0, baseDelay)
        self.maxDelay = max(0, maxDelay)
        self.maxWait = max(0, maxWait)
    }

    /// - Parameters:
    ///   - attempt: the number of the attempt that failed, from 1.
    ///   - random: from 0 up to 1. The longest pause is multiplied by it, so that callers that failed at the same time do not ask
    ///     again at the same time.
    ///   - notBefore: when the App Store may be asked again; nil if it does not say.
    public func decision(after attempt: Int, random: Double, notBefore: Instant? = nil, now: Instant) -> Decision {
        guard attempt < maxAttempts else { return .giveUp }
        let pause = Int64(Double(ceiling(after: attempt)) * min(max(random, 0), 1))
        guard let notBefore, notBefore > now else { return .wait(milliseconds: pause) }
        let (asked, overflow) = notBefore.milliseconds.subtractingReportingOverflow(now.milliseconds)
        guard !overflow, asked <= maxWait else { return .giveUp }
        return .wait(milliseconds: max(pause, asked))
    }

    private func ceiling(after attempt: Int) -> Int64 {
        let (delay, overflow) = baseDelay.multipliedReportingOverflow(by: 1 << Int64(min(max(attempt, 1) - 1, 40)))
        return overflow ? maxDelay : min(delay, maxDelay)
    }
}
