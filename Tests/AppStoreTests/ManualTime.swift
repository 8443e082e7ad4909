import EligibilityRules
import Synchronization

@testable import AppStore

/// A clock that only sleeping moves.
final class ManualTime: Sendable {
    private let state: Mutex<(now: Instant, pauses: [Int64])>

    /// Starts at an instant.
    init(_ now: Instant = 1_700_000_000_000) { state = Mutex((now, [])) }

    /// Now.
    var now: Instant { state.withLock { $0.now } }

    /// How long was slept, each time, in ms.
    var pauses: [Int64] { state.withLock { $0.pauses } }

    /// Lets time pass.
    func advance(by milliseconds: Int64) { state.withLock { $0.now = $0.now.advanced(by: milliseconds) } }

    /// As the clients take it; chance always chooses the middle.
    var system: CallEnvironment {
        CallEnvironment(
            now: { self.now },
            sleep: { milliseconds in
                try Task.checkCancellation()
                self.state.withLock {
                    $0.now = $0.now.advanced(by: milliseconds)
                    $0.pauses.append(milliseconds)
                }
            },
            random: { 0.5 }
        )
    }
}
