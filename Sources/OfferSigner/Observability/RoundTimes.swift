import Synchronization

/// When the rounds in the background last came to a good end.
final class RoundTimes: MetricSource {
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

    func samples() -> [MetricSample] {
        let now = ContinuousClock.now
        return times.withLock { $0 }.map { round, time in
            let (seconds, attoseconds) = (now - time).components
            let age = Double(seconds) + Double(attoseconds) / 1e18
            return switch round {
            case .renewalPoll: MetricSample(name: "offersigner_renewal_poll_age_seconds", value: age)
            case .catchUp(let app):
                MetricSample(
                    name: "offersigner_catch_up_age_seconds", labels: [MetricSample.Label("app", app)], value: age)
            }
        }
    }
}
