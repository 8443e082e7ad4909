import EligibilityRules
import OfferStoreTesting
import Synchronization

/// A clock that is set by hand, to ms after the instant of the tests.
final class Elapsed: Sendable {
    private let milliseconds = Mutex<Int64>(0)

    func set(_ value: Int64) { milliseconds.withLock { $0 = value } }

    func pass(_ duration: Int64) { milliseconds.withLock { $0 += duration } }

    @Sendable func now() -> Instant { .testNow.advanced(by: milliseconds.withLock { $0 }) }
}
