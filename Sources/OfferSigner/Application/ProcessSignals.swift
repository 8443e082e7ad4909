import Dispatch
import Glibc
import Logging
import OfferService
import Synchronization

/// Handles the signals of the process, from its start.
///
/// A signal to stop ends the process at once while the service is being built. Later, only a second such signal does. Signals are
/// handled on a thread of their own, so that they work even if everything else is stuck.
final class ProcessSignals: Sendable {
    /// The actions on signals once the service is built.
    struct Actions: Sendable {
        let logger: Logger
        /// Finishes accepted requests, and ends.
        let stop: @Sendable () -> Void
        /// Asks for a reload, and does not wait for it.
        let reload: @Sendable () -> Void
        /// Flushes the log.
        let flush: @Sendable () -> Void
    }

    private struct State {
        var rule = SignalRule()
        /// What to do on signals; nil until the service is built.
        var actions: Actions?
    }

    private let queue = DispatchQueue(label: "signals")
    private let state = Mutex(State())

    /// Takes over the signals, each of which would end the process by default.
    init() {
        for number in SignalRule.handled {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            // The source is never released, because signals can arrive until the process ends.
            source.setEventHandler {
                // If a signal arrives several times at once, there is one event with the number of times.
                for _ in 0..<max(1, source.data) { self.take(number) }
            }
            source.resume()
        }
    }

    /// Sets the actions on signals from now on.
    func serve(_ actions: Actions) { state.withLock { $0.actions = actions } }

    private func take(_ number: Int32) {
        let (action, actions) = state.withLock { state in
            (state.rule.action(on: number, isServing: state.actions != nil), state.actions)
        }
        let metadata: Logger.Metadata = ["signal": "\(SignalRule.name(of: number))"]
        switch action {
        case .stop:
            actions?.logger.info("stopping", metadata: metadata)
            actions?.stop()
        case .stopNow:
            actions?.logger.warning(
                "stopped at once; unanswered requests are lost, answered ones are on record", metadata: metadata)
            actions?.flush()
            _exit(128 + number)
        case .reload: actions?.reload()
        case .ignore: actions?.logger.notice("a signal without meaning here was ignored", metadata: metadata)
        }
    }
}

/// The meaning of each signal, before and after the service is built.
struct SignalRule {
    /// The action on a signal.
    enum Action: Equatable {
        /// Finish accepted requests, then end.
        case stop
        /// End without waiting for anything.
        case stopNow
        /// Reload what can change while the service runs.
        case reload
        case ignore
    }

    private static let names: [Int32: String] = [
        SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGHUP: "SIGHUP", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2",
    ]

    /// The signals that are not left to the system.
    static let handled = names.keys.sorted()

    private var isStopping = false

    /// Returns the name of a handled signal.
    static func name(of number: Int32) -> String { names[number] ?? "\(number)" }

    /// Returns the action on a signal.
    ///
    /// - Parameter isServing: false while the service is being built, when there is nothing to finish.
    mutating func action(on number: Int32, isServing: Bool) -> Action {
        switch number {
        case SIGTERM, SIGINT, SIGQUIT:
            guard isServing, !isStopping else { return .stopNow }
            isStopping = true
            return .stop
        case SIGHUP: return isServing && !isStopping ? .reload : .ignore
        default: return .ignore
        }
    }
}
