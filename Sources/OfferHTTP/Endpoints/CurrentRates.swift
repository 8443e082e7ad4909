package import OfferService
import Synchronization

/// How many requests each caller may send at present.
///
/// A reload of the configuration can change the rates.
package final class CurrentRates: Sendable {
    /// The rates, and the headers that report them.
    final class Rates: Sendable {
        /// The rate of each access key.
        let accessKeys: RateLimit
        /// The rate of each end user.
        let endUsers: RateLimit
        private let lines: (accessKeys: HeaderLine, endUsers: HeaderLine)

        init(accessKeys: RateLimit, endUsers: RateLimit) {
            (self.accessKeys, self.endUsers) = (accessKeys, endUsers)
            lines = (Self.line(accessKeys), Self.line(endUsers))
        }

        /// Returns the header `RateLimit-Policy` for the limit that has decided about a request.
        ///
        /// If the configuration was reloaded meanwhile, that may be a limit that has since been replaced.
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

    /// Replaces the rates.
    ///
    /// Requests that a caller has already sent still count.
    package func replace(accessKeys: RateLimit, endUsers: RateLimit) {
        let new = Rates(accessKeys: accessKeys, endUsers: endUsers)
        rates.withLock { $0 = new }
    }
}
