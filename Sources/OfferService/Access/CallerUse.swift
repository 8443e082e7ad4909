import EligibilityRules
import Synchronization

/// The last use of an access key. It outlives the reload of the key.
package final class CallerUse: Sendable {
    private let latest = Atomic<Int64>(0)
    private let noted = Atomic<Int64>(0)

    /// A record without uses.
    package init() {}

    /// Records a request.
    func note(_ instant: Instant) { latest.store(instant.milliseconds, ordering: .relaxed) }

    /// The last use in this process; nil if there was none.
    var last: Instant? {
        let milliseconds = latest.load(ordering: .relaxed)
        return milliseconds == 0 ? nil : Instant(milliseconds: milliseconds)
    }

    /// The last use; nil if it was already taken.
    func takeNew() -> Instant? {
        guard let last, noted.exchange(last.milliseconds, ordering: .relaxed) != last.milliseconds else { return nil }
        return last
    }
}
