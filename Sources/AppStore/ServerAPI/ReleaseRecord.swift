/// Remembers, across restarts, whether an app was ever released. Before that, Production refuses every request of the app.
package protocol ReleaseRecord: Sendable {
    /// Whether the app is known to have been released.
    var wasReleased: Bool { get async }

    /// Records that the app was released, because Production has accepted its token. Called after each such answer.
    func note() async
}
