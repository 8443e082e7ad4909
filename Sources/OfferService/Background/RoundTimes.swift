import Synchronization

/// When the rounds in the background last came to a good end.
package final class RoundTimes: Sendable {
    /// What is done in rounds.
    package enum Round: Hashable, Sendable {
        case renewalPoll
        case catchUp(app: String)
    }

    private let times: Mutex<[Round: ContinuousClock.Instant]>

    /// - Parameter rounds: those that take place; they count as done at the start.
    package init(_ rounds: [Round]) {
        let now = ContinuousClock.now
        times = Mutex(Dictionary(rounds.map { ($0, now) }, uniquingKeysWith: { first, _ in first }))
    }

    /// Notes that a round has just ended well.
    package func note(_ round: Round) { times.withLock { $0[round] = .now } }

    /// Seconds since each of them.
    package var ages: [(round: Round, seconds: Double)] {
        let now = ContinuousClock.now
        return times.withLock { $0 }.map { round, time in
            let (seconds, attoseconds) = (now - time).components
            return (round, Double(seconds) + Double(attoseconds) / 1e18)
        }
    }
}
