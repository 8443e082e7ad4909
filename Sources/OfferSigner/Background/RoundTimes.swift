import Synchronization

/// When the rounds in the background last came to a good end.
final class RoundTimes: Sendable {
    /// What is done in rounds.
    enum Round: Hashable, Sendable {
        case renewalPoll
        case catchUp(app: String)
    }

    private let times: Mutex<[Round: ContinuousClock.Instant]>

    /// - Parameter rounds: those that take place; they count as done at the start.
    init(_ rounds: [Round]) {
        let now = ContinuousClock.now
        times = Mutex(Dictionary(rounds.map { ($0, now) }, uniquingKeysWith: { first, _ in first }))
    }

    /// Notes that a round has just ended well.
    func note(_ round: Round) { times.withLock { $0[round] = .now } }

    /// Seconds since each of them.
    var ages: [(round: Round, seconds: Double)] {
        let now = ContinuousClock.now
        return times.withLock { $0 }.map { round, time in
            let (seconds, attoseconds) = (now - time).components
            return (round, Double(seconds) + Double(attoseconds) / 1e18)
        }
    }
}
