/// Determines which failures are reported at once, and which are counted for a summary.
struct FailureTally {
    /// Identifies failures that are the same to a reader.
    struct Key: Hashable {
        let message: String
        /// A bundle id; empty if no app is concerned.
        let app: String
        let subject: Failure.Subject
        let code: String
    }

    /// Several failures in one line.
    struct Summary: Equatable {
        let key: Key
        /// The reason of the last one.
        let reason: String
        let count: Int
        /// The time in which they occurred.
        let seconds: Int64
    }

    private struct Window {
        var start: ContinuousClock.Instant
        var count = 0
        var reason = ""
    }

    /// How long repetitions are collected.
    static let span = Duration.seconds(60)

    private var windows: [Key: Window] = [:]

    /// Records a failure. Returns true if it is the first for a while, and must be reported.
    mutating func note(_ key: Key, reason: String, at now: ContinuousClock.Instant) -> Bool {
        guard windows[key] != nil else {
            windows[key] = Window(start: now)
            return true
        }
        windows[key]!.count += 1
        windows[key]!.reason = reason
        return false
    }

    /// The summaries that are due. A failure that did not recur in a whole span is forgotten.
    mutating func due(at now: ContinuousClock.Instant) -> [Summary] {
        let over = windows.filter { now - $0.value.start >= FailureTally.span }
        for (key, window) in over { windows[key] = window.count == 0 ? nil : Window(start: now) }
        return FailureTally.summaries(over, now)
    }

    /// The failures not reported yet, when the service stops.
    mutating func rest(at now: ContinuousClock.Instant) -> [Summary] {
        defer { windows = [:] }
        return FailureTally.summaries(windows, now)
    }

    private static func summaries(_ windows: [Key: Window], _ now: ContinuousClock.Instant) -> [Summary] {
        windows.filter { $0.value.count > 0 }
            .map { key, window in
                Summary(
                    key: key, reason: window.reason, count: window.count,
                    seconds: (now - window.start).components.seconds)
            }
            .sorted { ($0.key.message, $0.key.app, $0.key.code) < ($1.key.message, $1.key.app, $1.key.code) }
    }
}
