/// Knows, over restarts, whether an app was ever released. Production answers no app before that.
package protocol ReleaseRecord: Sendable {
    /// Whether the app is known to have been released.
    var wasReleased: Bool { get async }

    /// Notes that Production has answered. Called after each answer.
    func note() async
}
