import EligibilityRules
import Synchronization

/// When an access key was used last. Outlives the reload of its key.
package final class CallerUse: Sendable {
    private let latest = Atomic<Int64>(0)
    private let noted = Atomic<Int64>(0)

    /// Of one that was never used.
    package init() {}

    /// Notes a request.
    func note(_ instant: Instant) { latest.store(instant.milliseconds, ordering: .relaxed) }

    /// When it was used last; nil if that was not in this process.
    var last: Instant? {
        let milliseconds = latest.load(ordering: .relaxed)
        return milliseconds == 0 ? nil : Instant(milliseconds: milliseconds)
    }

    /// The same, once for each new instant.
    func takeNew() -> Instant? {
        guard let last, noted.exchange(last.milliseconds, ordering: .relaxed) != last.milliseconds else { return nil }
        return last
    }
}
