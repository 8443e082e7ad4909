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
    /// The longest pause after the first attempt, in ms. With each further attempt the longest pause doubles, up to `maxDelay`.
    public let baseDelay: Int64
    /// The longest pause after any attempt, in ms.
    public let maxDelay: Int64
    /// The longest pause that the App Store may ask for, in ms. If it asks for a longer pause, the request is not sent again.
    public let maxWait: Int64

    /// Negative times count as 0. The defaults are those that the service uses.
    public init(maxAttempts: Int = 3, baseDelay: Int64 = 200, maxDelay: Int64 = 5000, maxWait: Int64 = 5000) {
        self.maxAttempts = maxAttempts
        self.baseDelay = max(0, baseDelay)
        self.maxDelay = max(0, maxDelay)
        self.maxWait = max(0, maxWait)
    }

    /// - Parameters:
    ///   - attempt: the number of the attempt that failed, from 1.
    ///   - random: a random number from 0 to 1, by which the longest pause is multiplied. Callers that failed at the same time
    ///     therefore do not ask again at the same time.
    ///   - notBefore: when the App Store may be asked again, if its answer says so; otherwise nil.
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
