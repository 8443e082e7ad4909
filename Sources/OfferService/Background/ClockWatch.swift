package import Logging
package import OfferStore
import ServiceLifecycle

/// Reports that the clock is no longer trusted, and applies what an operator decides about it.
package struct ClockWatch: Service {
    package let clock: SigningClock
    package let store: any ClockStore
    let interval: Duration
    package let system: SystemEnvironment
    package let logger: Logger

    package init(
        clock: SigningClock,
        store: any ClockStore,
        interval: Duration = .seconds(1),
        system: SystemEnvironment,
        logger: Logger
    ) {
        self.clock = clock
        self.store = store
        self.interval = interval
        self.system = system
        self.logger = logger
    }

    /// Looks at the clock every interval until the service stops.
    package func run() async throws {
        await system.rounds(nil) { reported in
            reported = await lookOnce(reported: reported)
            return interval
        }
    }

    /// Looks at the clock once, and logs a new fault.
    ///
    /// Returns what is wrong with the clock, without digits, so that the same fault gives the same text; nil if nothing is wrong.
    ///
    /// - Parameter reported: what the previous look returned. The same fault is not logged again.
    package func lookOnce(reported: String?) async -> String? {
        do throws(IssueError) {
            _ = try clock.now()
            if reported != nil { logger.notice("the clock is trusted again") }
            return nil
        } catch {
            let kind = error.reason.filter { !$0.isNumber }
            if kind != reported {
                logger.error("nothing is signed: the clock cannot be trusted", metadata: ["reason": "\(error.reason)"])
            }
            // An error is ignored here, because the store reports its own outages.
            if let record = try? await store.clockRecord() { clock.take(record) }
            return kind
        }
    }
}
