package import Logging
import ServiceLifecycle
import Synchronization

/// Reports failures to operators. It reports the first failure at once, and counts repetitions, which it reports once a minute.
///
/// Without this, a store that fails thousands of requests a second would fill the disk with log lines.
package final class FailureLog: Service, Sendable {
    private static let interval = Duration.seconds(1)

    private let logger: Logger
    private let count: @Sendable (Failure) -> Void
    private let tally = Mutex(FailureTally())

    /// - Parameter count: is called with every failure, whether it is logged or not.
    package init(logger: Logger, count: @escaping @Sendable (Failure) -> Void) {
        self.logger = logger
        self.count = count
    }

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - message: what could not be done. It must be a fixed text, because repetitions are counted by it.
    ///   - app: the bundle id of the app that is concerned; nil if no particular app is.
    ///   - requestID: the id of the request that failed; nil if there was no request.
    package func note(_ message: String, _ failure: Failure, app: String? = nil, requestID: String? = nil) {
        count(failure)
        let key = FailureTally.Key(message: message, app: app ?? "", subject: failure.subject, code: failure.code)
        let isFirst = tally.withLock { $0.note(key, reason: failure.reason, at: .now) }
        guard isFirst else { return }
        var metadata = FailureLog.metadata(key, failure.reason)
        if let requestID { metadata["requestId"] = "\(requestID)" }
        logger.log(level: failure.level, "\(message)", metadata: metadata)
    }

    /// Reports repetitions until the service stops, and finally those that were not reported yet.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            while (try? await Task.sleep(for: FailureLog.interval)) != nil {
                report(tally.withLock { $0.due(at: .now) })
            }
        }
        report(tally.withLock { $0.rest(at: .now) })
    }

    private func report(_ summaries: [FailureTally.Summary]) {
        for summary in summaries {
            var metadata = FailureLog.metadata(summary.key, summary.reason)
            metadata["count"] = "\(summary.count)"
            metadata["seconds"] = "\(summary.seconds)"
            let level = Failure(summary.key.subject, summary.key.code, summary.reason).level
            logger.log(level: level, "\(summary.key.message), again", metadata: metadata)
        }
    }

    private static func metadata(_ key: FailureTally.Key, _ reason: String) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["subject": "\(key.subject.rawValue)", "code": "\(key.code)", "reason": "\(reason)"]
        if !key.app.isEmpty { metadata["app"] = "\(key.app)" }
        return metadata
    }
}

/// Decides which failures are reported at once, and which are only counted for a summary.
struct FailureTally {
    /// Failures with the same key look the same to a reader of the log.
    struct Key: Hashable {
        let message: String
        /// A bundle id; empty if no particular app is concerned.
        let app: String
        let subject: Failure.Subject
        let code: String
    }

    /// Repetitions of a failure that are reported in one line.
    struct Summary: Equatable {
        let key: Key
        /// The reason of the last repetition.
        let reason: String
        let count: Int
        /// How many seconds the count covers.
        let seconds: Int64
    }

    private struct Window {
        var start: ContinuousClock.Instant
        var count = 0
        var reason = ""
    }

    /// How long repetitions are counted before they are reported.
    static let span = Duration.seconds(60)

    private var windows: [Key: Window] = [:]

    /// Records a failure. Returns true if it must be reported now, because it did not occur in the last span.
    mutating func note(_ key: Key, reason: String, at now: ContinuousClock.Instant) -> Bool {
        guard windows[key] != nil else {
            windows[key] = Window(start: now)
            return true
        }
        windows[key]!.count += 1
        windows[key]!.reason = reason
        return false
    }

    /// The summaries that must be reported now. A failure that did not recur during a whole span is forgotten.
    mutating func due(at now: ContinuousClock.Instant) -> [Summary] {
        let over = windows.filter { now - $0.value.start >= FailureTally.span }
        for (key, window) in over { windows[key] = window.count == 0 ? nil : Window(start: now) }
        return FailureTally.summaries(over, now)
    }

    /// The repetitions that were not reported yet, for the last lines of a service that stops.
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
