import Synchronization

/// When the rounds in the background last came to a good end.
package final class RoundTimes: Sendable {
    /// What is done in rounds.
    package enum Round: Hashable, Sendable {
        case renewalPoll
        case receiptPoll
        case catchUp(app: String)
    }

    private let system: SystemEnvironment
    /// By the time since boot, in ms.
    private let times: Mutex<[Round: Int64]>

    /// - Parameter rounds: those that take place; they count as done at the start.
    package init(_ rounds: [Round], system: SystemEnvironment) {
        self.system = system
        let now = system.uptime()
        times = Mutex(Dictionary(rounds.map { ($0, now) }, uniquingKeysWith: { first, _ in first }))
    }

    /// Notes that a round has just ended well.
    package func note(_ round: Round) { times.withLock { $0[round] = system.uptime() } }

    /// Seconds since each of them.
    package var ages: [(round: Round, seconds: Double)] {
        let now = system.uptime()
        return times.withLock { $0 }.map { round, time in (round, Double(now - time) / 1000) }
    }
}
