import Logging
import OfferStore

@testable import OfferService

extension ChangeWatch {
    /// Follows with a directory. Nothing in memory grows old unless the system says so, however slow the machine is.
    convenience init(
        _ directory: AccessDirectory,
        feed: any ChangeFeed,
        system: SystemEnvironment = SystemEnvironment(
            now: SystemEnvironment.live.now, uptime: { 0 }, randomBytes: SystemEnvironment.live.randomBytes)
    ) {
        self.init(
            feed: feed, followers: [directory], system: system,
            failures: FailureLog(logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })) { _ in })
    }
}
