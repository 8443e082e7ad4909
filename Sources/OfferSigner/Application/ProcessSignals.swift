import Dispatch
import Glibc
import Logging
import OfferService
import Synchronization

/// The signals of the process, from its start on: none of them ends it abruptly but a second word to stop.
///
/// On a thread of its own, so that it works also while everything else is stuck.
final class ProcessSignals: Sendable {
    /// What can be done at a signal once the service is built.
    struct Actions: Sendable {
        let logger: Logger
        /// Finishes what was accepted, and ends.
        let stop: @Sendable () -> Void
        let reload: @Sendable () -> Void
        /// Writes the log out.
        let flush: @Sendable () -> Void
    }

    private struct State {
        var rule = SignalRule()
        /// Nil until the service is built.
        var actions: Actions?
    }

    private let queue = DispatchQueue(label: "signals")
    /// Apart from the signals: a disk that does not answer must not keep the next one waiting.
    private let reloading = DispatchQueue(label: "reload")
    private let state = Mutex(State())

    /// Takes the signals over from the system, which would end the process at each of them.
    init() {
        for number in SignalRule.handled {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            // Never let go of: signals come until the end of the process.
            source.setEventHandler {
                // Two that come at once are told as one.
                for _ in 0..<max(1, source.data) { self.take(number) }
            }
            source.resume()
        }
    }

    /// From now on signals mean this.
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
            actions?.logger.warning("stopped at once; what was not answered is lost, what was is on record", metadata: metadata)
            actions?.flush()
            _exit(128 + number)
        case .reload: if let actions { reloading.async(execute: actions.reload) }
        case .ignore: actions?.logger.notice("a signal without meaning here was ignored", metadata: metadata)
        }
    }
}
