/// Remembers, over restarts, that Production has answered an app. It answers none before the app's first release.
package protocol ReleaseRecord: Sendable {
    /// Whether Production has answered before.
    var isNoted: Bool { get async }

    /// Notes that it has. Called after each answer.
    func note() async
}
