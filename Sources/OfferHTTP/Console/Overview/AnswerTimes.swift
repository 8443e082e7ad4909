package import EligibilityRules

/// How long this process has taken to answer requests for signatures.
package struct AnswerTimes: Sendable {
    /// Upper bounds, in seconds, rising.
    package let bounds: [Double]
    /// How many answers were within each bound and above the one before it.
    package let counts: [Int64]
    /// How many answers in all.
    package let total: Int64
    /// When the counting began.
    package let since: Instant

    /// Takes the values as they are.
    package init(bounds: [Double], counts: [Int64], total: Int64, since: Instant) {
        self.bounds = bounds
        self.counts = counts
        self.total = total
        self.since = since
    }

    /// The smallest bound that so many of 100 answers were within; nil if that is none of them, or there were no answers.
    func bound(of percent: Int64) -> Double? {
        guard total > 0 else { return nil }
        var sum: Int64 = 0
        for (bound, count) in zip(bounds, counts) {
            sum += count
            if sum * 100 >= total * percent { return bound }
        }
        return nil
    }
}
