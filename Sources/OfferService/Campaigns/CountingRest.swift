/// Keeps long counting from slowing down signatures: after a while it rests for as long as it works.
struct CountingRest {
    /// So long nobody else is made room for.
    private static let sprint = Duration.seconds(2)

    private let system: SystemEnvironment
    private let started = ContinuousClock.now
    private var resumed = ContinuousClock.now

    init(_ system: SystemEnvironment) { self.system = system }

    /// After a piece of work. Throws when the counting is cancelled.
    mutating func rest() async throws {
        try Task.checkCancellation()
        let now = ContinuousClock.now
        if now - started > Self.sprint { try await system.sleep(now - resumed) }
        resumed = .now
    }
}
