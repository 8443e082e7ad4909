/// Keeps long counts from slowing down signatures: after a while a count rests for as long as it works.
struct CountingRest {
    /// How long a count runs without a rest.
    private static let sprint = Duration.seconds(2)

    private let system: SystemEnvironment
    private let started = ContinuousClock.now
    private var resumed = ContinuousClock.now

    init(_ system: SystemEnvironment) { self.system = system }

    /// Rests after a piece of work. Throws if the count is cancelled.
    mutating func rest() async throws {
        try Task.checkCancellation()
        let now = ContinuousClock.now
        if now - started > Self.sprint { try await system.sleep(now - resumed) }
        resumed = .now
    }
}
