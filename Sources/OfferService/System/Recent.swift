/// A value that is made again only when it is too old, however many callers ask. Concurrent callers get the same value.
package actor Recent<Value: Sendable, Thrown: Error> {
    private let lifetime: Duration
    private let make: @Sendable () async throws(Thrown) -> Value
    private var last: (result: Result<Value, Thrown>, end: ContinuousClock.Instant)?
    private var running: Task<Result<Value, Thrown>, Never>?

    /// - Parameter lifetime: how long a value is returned before the next one is made.
    init(for lifetime: Duration, _ make: @escaping @Sendable () async throws(Thrown) -> Value) {
        self.lifetime = lifetime
        self.make = make
    }

    /// The value. If making it failed, throws that error.
    func value() async throws(Thrown) -> Value {
        if let last, ContinuousClock.now - last.end < lifetime { return try last.result.get() }
        let task = running ?? Task { [make] in await Self.result(of: make) }
        running = task
        let result = await task.value
        // Another caller that waited for the same task may have recorded its result already.
        if running == task {
            running = nil
            last = (result, .now)
        }
        return try result.get()
    }

    private static func result(of make: @Sendable () async throws(Thrown) -> Value) async -> Result<Value, Thrown> {
        do { return .success(try await make()) } catch { return .failure(error) }
    }
}
