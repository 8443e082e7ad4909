import Logging
import Synchronization

@testable import OfferService

/// What operators would read, and what would be counted.
final class RecordedLog: Sendable {
    private struct State {
        var lines: [String] = []
        var failures: [String] = []
    }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.state.withLock { $0.lines.append("\(event.level): \(event.message)") }
        }
    }

    private let state = Mutex(State())

    /// Levels and messages so far.
    var lines: [String] { state.withLock(\.lines) }

    /// The codes of all failures so far, also of those that are not told again.
    var failures: [String] { state.withLock(\.failures) }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    /// A failure log that writes into this one.
    func makeFailureLog() -> FailureLog {
        FailureLog(logger: logger) { failure in self.state.withLock { $0.failures.append(failure.code) } }
    }
}
