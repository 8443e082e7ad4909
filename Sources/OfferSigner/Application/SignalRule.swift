import Glibc

/// What each signal means, and when.
struct SignalRule {
    /// What is to be done.
    enum Action: Equatable {
        /// Finish what was accepted, then end.
        case stop
        /// End without waiting for anything.
        case stopNow
        /// Read again what can be read again.
        case reload
        case ignore
    }

    private static let names: [Int32: String] = [
        SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGHUP: "SIGHUP", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2",
    ]

    /// Those that are not left to the system.
    static let handled = names.keys.sorted()

    private var isStopping = false

    /// The name of a signal that is handled.
    static func name(of number: Int32) -> String { names[number] ?? "\(number)" }

    /// What to do at a signal.
    ///
    /// - Parameter isServing: false while the service is being built; there is nothing to finish then.
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
