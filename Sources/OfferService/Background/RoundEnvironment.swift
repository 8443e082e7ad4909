package import Logging

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
