package import EligibilityRules

/// How long answers took: the time within which half of them were given, and the time within which nearly all were given.
struct AnswerTimesView: TemplateView {
    /// A time, written as a number and a unit.
    struct Bound: TemplateView {
        let number: String
        let unit: String

        /// Writes a bound with up to two decimals, which is enough for all bounds.
        ///
        /// A bound is never rounded, because a bound that was rounded down would not be true.
        init(_ seconds: Double) {
            let (value, unit) = seconds < 1 ? (seconds * 1000, "ms") : (seconds, "s")
            self.unit = unit
            let hundredths = Int((value * 100).rounded())
            guard hundredths % 100 != 0 else {
                number = ConsoleTime.number(hundredths / 100)
                return
            }
            let digits =
                hundredths % 10 == 0 ? "\(hundredths % 100 / 10)" : "\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
            number = "\(hundredths / 100).\(digits)"
        }

        var text: String { "\(number)\u{a0}\(unit)" }
    }

    /// Whether there were any answers.
    let hasAny: Bool
    let requests: String
    let since: RichText
    /// The time within which 99 of 100 answers were given. Nil if more than 1 of 100 took longer than the longest bound, or if
    /// there were no answers.
    let slow: Bound?
    /// The time within which half of the answers were given. Nil if half of them took longer than the longest bound, or if there
    /// were no answers.
    let half: String?
    /// The longest bound for which answers are counted.
    let longest: String

    init(_ times: AnswerTimes, _ time: ConsoleTime) {
        hasAny = times.total > 0
        requests = ConsoleTime.count(Int(times.total), "signature request")
        since = time.at(times.since)
        slow = times.bound(of: 99).map(Bound.init)
        half = times.bound(of: 50).map { Bound($0).text }
        longest = Bound(times.bounds.last ?? 0).text
    }
}

/// How long this process has taken to answer requests for signatures.
package struct AnswerTimes: Sendable {
    /// The upper bounds of the classes in which answers are counted, in seconds, shortest first.
    package let bounds: [Double]
    /// For each bound, the number of answers that were given within it but not within the bound before it.
    package let counts: [Int64]
    /// The number of all answers, including those that took longer than the longest bound.
    package let total: Int64
    /// When counting began.
    package let since: Instant

    package init(bounds: [Double], counts: [Int64], total: Int64, since: Instant) {
        self.bounds = bounds
        self.counts = counts
        self.total = total
        self.since = since
    }

    /// Returns the smallest bound within which `percent` of 100 answers were given; nil if there is no such bound, or if there
    /// were no answers.
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
