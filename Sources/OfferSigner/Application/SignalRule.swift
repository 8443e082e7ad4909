import Glibc

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
