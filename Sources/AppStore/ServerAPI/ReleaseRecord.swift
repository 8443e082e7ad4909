/// Remembers, across restarts, whether an app was ever released. Before its first release, Production refuses all of its
/// requests.
package protocol ReleaseRecord: Sendable {
    /// Whether the app is known to have been released.
    var wasReleased: Bool { get async }

    /// Records that the app was released. It is called each time that Production accepts the app's token, which proves the
    /// release.
    func note() async
}
