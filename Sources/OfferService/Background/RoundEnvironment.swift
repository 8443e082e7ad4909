package import Logging
import Synchronization

/// The clock of periodic work, and the places that it reports to.
package struct RoundEnvironment: Sendable {
    let system: SystemEnvironment
    let rounds: RoundTimes
    let failures: FailureLog
    let logger: Logger

    package init(system: SystemEnvironment, rounds: RoundTimes, failures: FailureLog, logger: Logger) {
        self.system = system
        self.rounds = rounds
        self.failures = failures
        self.logger = logger
    }
}

/// When each background round last succeeded.
package final class RoundTimes: Sendable {
    /// The kinds of background rounds.
    package enum Round: Hashable, Sendable {
        case renewalPoll
        case receiptPoll
        case catchUp(app: String)
    }

    private let system: SystemEnvironment
    /// When each round last succeeded, in ms since boot.
    private let times: Mutex<[Round: Int64]>

    /// - Parameter rounds: the kinds that this process runs. Each counts as having succeeded just now.
    package init(_ rounds: [Round], system: SystemEnvironment) {
        self.system = system
        let now = system.uptime()
        times = Mutex(Dictionary(rounds.map { ($0, now) }, uniquingKeysWith: { first, _ in first }))
    }

    /// Records that a round has just succeeded.
    package func note(_ round: Round) { times.withLock { $0[round] = system.uptime() } }

    /// The seconds since each round last succeeded.
    package var ages: [(round: Round, seconds: Double)] {
        let now = system.uptime()
        return times.withLock { $0 }.map { round, time in (round, Double(now - time) / 1000) }
    }
}
