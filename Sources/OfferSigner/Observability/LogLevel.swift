import Logging
import Synchronization

/// The lowest level that is logged. It may change while the service runs.
final class LogLevel: Sendable {
    private static let levels = Logger.Level.allCases

    private let index: Atomic<Int>

    init(_ level: Logger.Level) { index = Atomic(LogLevel.index(of: level)) }

    var current: Logger.Level { LogLevel.levels[index.load(ordering: .relaxed)] }

    /// Whether lines of this level are logged.
    func admits(_ level: Logger.Level) -> Bool { current <= level }

    func change(to level: Logger.Level) { index.store(LogLevel.index(of: level), ordering: .relaxed) }

    private static func index(of level: Logger.Level) -> Int { levels.firstIndex(of: level)! }
}
