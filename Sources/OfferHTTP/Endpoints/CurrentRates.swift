package import OfferService
import Synchronization

/// How many requests each caller may send, as of now. The rates can change while the service runs.
package final class CurrentRates: Sendable {
    /// The rates, and the headers that report them.
    final class Rates: Sendable {
        /// Of each access key.
        let accessKeys: RateLimit
        /// Of each end user.
        let endUsers: RateLimit
        private let lines: (accessKeys: HeaderLine, endUsers: HeaderLine)

        init(accessKeys: RateLimit, endUsers: RateLimit) {
            (self.accessKeys, self.endUsers) = (accessKeys, endUsers)
            lines = (Self.line(accessKeys), Self.line(endUsers))
        }

        /// The header that reports a limit which has decided.
        func line(_ limit: RateLimit) -> HeaderLine {
            limit == accessKeys ? lines.accessKeys : limit == endUsers ? lines.endUsers : Self.line(limit)
        }

        private static func line(_ limit: RateLimit) -> HeaderLine {
            HeaderLine(name: "RateLimit-Policy", value: "\"default\";q=\(limit.burst);w=\(limit.windowSeconds)")
        }
    }

    private let rates: Mutex<Rates>

    /// - Parameters:
    ///   - accessKeys: the rate of each access key.
    ///   - endUsers: the rate of each end user.
    package init(accessKeys: RateLimit, endUsers: RateLimit) {
        rates = Mutex(Rates(accessKeys: accessKeys, endUsers: endUsers))
    }

    /// The rates as of now.
    var current: Rates { rates.withLock { $0 } }

    /// Replaces the rates. What callers have used of theirs stays used.
    package func replace(accessKeys: RateLimit, endUsers: RateLimit) {
        let new = Rates(accessKeys: accessKeys, endUsers: endUsers)
        rates.withLock { $0 = new }
    }
}
