package import EligibilityRules

/// How long this process has taken to answer requests for signatures.
package struct AnswerTimes: Sendable {
    /// The upper bounds, in seconds, ascending.
    package let bounds: [Double]
    /// The number of answers within each bound and above the one before it.
    package let counts: [Int64]
    /// The number of all answers.
    package let total: Int64
    /// The start of the count.
    package let since: Instant

    package init(bounds: [Double], counts: [Int64], total: Int64, since: Instant) {
        self.bounds = bounds
        self.counts = counts
        self.total = total
        self.since = since
    }

    /// Returns the smallest bound that so many of 100 answers were within; nil if there is none, or there were no answers.
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
