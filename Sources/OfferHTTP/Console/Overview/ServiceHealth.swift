package import OfferService

/// The checks and figures of the service that the overview shows.
package struct ServiceHealth: Sendable {
    let checks: [ReadinessCheck]
    let tallies: OfferTallies
    let answerTimes: @Sendable () -> AnswerTimes

    /// - Parameter answerTimes: how long requests for signatures have taken so far.
    package init(checks: [ReadinessCheck], tallies: OfferTallies, answerTimes: @escaping @Sendable () -> AnswerTimes) {
        self.checks = checks
        self.tallies = tallies
        self.answerTimes = answerTimes
    }
}
